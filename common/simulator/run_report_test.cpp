#include "simulator/run_report.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace nbody {
namespace {

TEST(HumanTime, DaysHoursMinutesSeconds) {
  EXPECT_EQ(human_time(0), "0s");
  EXPECT_EQ(human_time(0.25), "0.25s");
  EXPECT_EQ(human_time(60), "0d 00h 01m 00s");
  EXPECT_EQ(human_time(93784), "1d 02h 03m 04s");
  EXPECT_EQ(human_time(86399.6), "1d 00h 00m 00s");
}

TEST(HumanTime, BeyondWholeNumbers) {
  EXPECT_EQ(human_time(8.64e34), "1e+30d");
  EXPECT_EQ(human_time(std::numeric_limits<double>::max()), "2.08e+303d");
  EXPECT_EQ(human_time(std::numeric_limits<double>::infinity()), "not finite");
}

TEST(InteractionsPerSecond, CountsOrderedPairs) {
  EXPECT_EQ(interactions_per_second(10, 3, 2), 150);
  EXPECT_EQ(interactions_per_second(1'000'000, 1'000'000, 1), 1e18);
  EXPECT_EQ(interactions_per_second(10, 3, 0), 0);
}

}  // namespace
}  // namespace nbody
