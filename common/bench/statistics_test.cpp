#include "bench/statistics.hpp"

#include <gtest/gtest.h>

namespace nbody {
namespace {

TEST(Statistics, MedianOfOddAndEvenCounts) {
  EXPECT_DOUBLE_EQ(statistics_of({3, 1, 2}).median, 2);
  EXPECT_DOUBLE_EQ(statistics_of({4, 1, 2, 3}).median, 2.5);
}

TEST(Statistics, SpreadIsRelativeToTheMedian) {
  const Statistics statistics = statistics_of({9, 10, 12});
  EXPECT_DOUBLE_EQ(statistics.minimum, 9);
  EXPECT_DOUBLE_EQ(statistics.maximum, 12);
  EXPECT_DOUBLE_EQ(statistics.spread(), 0.3);
}

}  // namespace
}  // namespace nbody
