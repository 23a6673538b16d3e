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

TEST(Ratios, AreOfRoundsThatCountForBoth) {
  const std::vector<double> seconds = {1, 0, 2, 1}, other = {3, 3, 4, 0}, quiet;
  EXPECT_EQ(ratios_of_rounds({seconds, quiet}, {other, quiet}), (std::vector<double>{3, 2}));
}

// Another program came in the second round, after one of the two had been timed.
TEST(Ratios, LeaveOutRoundsInWhichTheNeighboursChanged) {
  const std::vector<double> seconds = {1, 1}, other = {3, 9}, quiet = {0, 0}, disturbed = {0.2, 1};
  EXPECT_EQ(ratios_of_rounds({seconds, quiet}, {other, disturbed}), std::vector<double>{3});
}

}  // namespace
}  // namespace nbody::bench
