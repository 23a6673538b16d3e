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

TEST(ShortTime, FourDigitsInTheUnitThatFits) {
  EXPECT_EQ(short_time(12.3456), "12.35 s");
  EXPECT_EQ(short_time(1), "1 s");
  EXPECT_EQ(short_time(0.0123), "12.3 ms");
  EXPECT_EQ(short_time(4.2e-7), "420 ns");
  EXPECT_EQ(short_time(3.1e-5), "31 us");
  EXPECT_EQ(short_time(0), "0 ns");
}

TEST(InteractionsPerSecond, CountsOrderedPairs) {
  EXPECT_EQ(interactions_per_second(10, 3, 2), 150);
  EXPECT_EQ(interactions_per_second(1'000'000, 1'000'000, 1), 1e18);
  EXPECT_EQ(interactions_per_second(10, 3, 0), 0);
}

}  // namespace
}  // namespace nbody
