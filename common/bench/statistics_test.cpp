#include "bench/statistics.hpp"

#include <gtest/gtest.h>

namespace nbody::bench {
namespace {

TEST(Statistics, MedianOfOddAndEvenCounts) {
  EXPECT_DOUBLE_EQ(statistics_of({3, 1, 2}).median, 2);
  EXPECT_DOUBLE_EQ(statistics_of({4, 1, 2, 3}).median, 2.5);
}

TEST(Statistics, SpreadIsTheMiddleHalfRelativeToTheMedian) {
  const Statistics statistics = statistics_of({8, 9, 10, 11, 100});
  EXPECT_DOUBLE_EQ(statistics.minimum, 8);
  EXPECT_DOUBLE_EQ(statistics.maximum, 100);
  EXPECT_DOUBLE_EQ(statistics.spread(), 0.2);
}

TEST(Statistics, OneValueHasNoSpread) { EXPECT_DOUBLE_EQ(statistics_of({5}).spread(), 0); }

}  // namespace
}  // namespace nbody::bench
