#include "attempt/comparison.hpp"

#include <gtest/gtest.h>

namespace nbody::attempt {
namespace {

Gain measured_gain(const std::vector<double>& seconds, const std::vector<double>& before) {
  const std::vector<double> quiet;
  return gain_of({seconds, quiet}, {before, quiet}).value();
}

// Nine rounds of a second each; the program before took so many times as long.
Gain gain_with(const std::vector<double>& ratios) {
  return measured_gain(std::vector<double>(ratios.size(), 1.0), ratios);
}

TEST(Gain, IsTheMedianOfTheRounds) {
  const Gain gain =
      measured_gain({1, 2, 1, 1, 1, 1, 1, 1, 1}, {1.5, 3, 1.4, 1.6, 1.5, 1.5, 9, 1.3, 1.5});
  EXPECT_DOUBLE_EQ(gain.ratio, 1.5);
  EXPECT_DOUBLE_EQ(gain.lower, 1.5);
  EXPECT_DOUBLE_EQ(gain.upper, 1.5);
  EXPECT_TRUE(gain.real);
  EXPECT_FALSE(gain.estimated);
}

// A machine that is twice as slow in some rounds slows both programs.
TEST(Gain, ADisturbedRoundDisturbsBoth) {
  const Gain gain =
      measured_gain({1, 2, 2, 1, 2, 1, 1, 2, 1}, {1.1, 2.2, 2.2, 1.1, 2.2, 1.1, 1.1, 2.2, 1.1});
  EXPECT_DOUBLE_EQ(gain.ratio, 1.1);
  EXPECT_TRUE(gain.real);
}

// Times that scatter by more than the gain: only the rounds can tell.
Gain scattered_gain(const std::vector<double>& ratios) {
  std::vector<double> seconds, before;
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    seconds.push_back(k % 2 == 0 ? 1 : 2);
    before.push_back(seconds.back() * ratios[k]);
  }
  return measured_gain(seconds, before);
}

TEST(Gain, IsRealWhenEightOfNineRoundsAgree) {
  EXPECT_TRUE(scattered_gain({1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 0.9}).real);
  EXPECT_FALSE(scattered_gain({1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 0.9, 0.9}).real);
  EXPECT_TRUE(scattered_gain({0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1.1}).real);
  EXPECT_FALSE(scattered_gain({0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1.1, 1.1}).real);
  // Of six and seven all must, of eight as well: 7 of 8 is 7 %.
  EXPECT_TRUE(scattered_gain({1.1, 1.1, 1.1, 1.1, 1.1, 1.1}).real);
  EXPECT_FALSE(scattered_gain({1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 0.9}).real);
}

TEST(Gain, IsRealWhenTheTimesDoNotOverlap) {
  // 1.18 times, 7 of 9 rounds agree, both spread by some percent only.
  EXPECT_TRUE(gain_with({1.18, 1.18, 1.2, 1.15, 1.1, 1.25, 1.2, 0.95, 0.9}).real);
  // 6 of 9: the middle half holds 1.
  EXPECT_FALSE(gain_with({1.18, 1.18, 1.2, 1.15, 1.1, 1.25, 0.96, 0.95, 0.9}).real);
}

TEST(Gain, BelowTwoPercentIsNone) {
  EXPECT_FALSE(gain_with(std::vector<double>(9, 1.015)).real);
  EXPECT_TRUE(gain_with(std::vector<double>(9, 1.025)).real);
  EXPECT_FALSE(gain_with(std::vector<double>(9, 0.985)).real);
  EXPECT_TRUE(gain_with(std::vector<double>(9, 0.975)).real);
  EXPECT_FALSE(gain_with(std::vector<double>(9, 1.0)).real);
}

TEST(Gain, RoundsThatNobodyCouldMeasureAreLeftOut) {
  const Gain gain = measured_gain({1, 0, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 0, 2, 2, 2, 2, 2, 2});
  EXPECT_DOUBLE_EQ(gain.ratio, 2);
  const std::vector<double> five = {1, 1, 1, 1, 1, 0, 0, 0, 0}, before(9, 2.0);
  const std::vector<double> quiet;
  EXPECT_FALSE(gain_of({five, quiet}, {before, quiet}));
}

// Another program came in the fourth round, after one of the two had been timed.
TEST(Gain, RoundsInWhichTheNeighboursChangedAreLeftOut) {
  const std::vector<double> seconds = {1, 1, 1, 2, 1, 1, 1}, before(7, 3.0), quiet(7, 0.0);
  const std::vector<double> disturbed = {0, 0.1, 0, 1, 0, 0.2, 0};
  const Gain gain = gain_of({seconds, disturbed}, {before, quiet}).value();
  EXPECT_DOUBLE_EQ(gain.lower, 3);
  const std::vector<double> busy(7, 1.0);
  EXPECT_FALSE(gain_of({seconds, busy}, {before, quiet}));
}

TEST(EstimatedGain, ComesFromBothRows) {
  const Gain gain = estimated_gain(3.0, 0.1, 2.0, 0.1);
  EXPECT_DOUBLE_EQ(gain.ratio, 1.5);
  EXPECT_TRUE(gain.real);
  EXPECT_TRUE(gain.estimated);
  EXPECT_FALSE(estimated_gain(2.1, 0.1, 2.0, 0.1).real);
  EXPECT_TRUE(estimated_gain(2.1, 0.01, 2.0, 0.01).real);
  EXPECT_FALSE(estimated_gain(2.02, 0, 2.0, 0).real);
}

TEST(VerdictWord, ComparesWithThePrediction) {
  const Gain gain{1.5, 1.4, 1.6, true, false};
  EXPECT_EQ(verdict_word(1.5, gain), "as expected");
  EXPECT_EQ(verdict_word(1.75, gain), "as expected");
  EXPECT_EQ(verdict_word(1.8, gain), "less than expected");
  EXPECT_EQ(verdict_word(1.31, gain), "as expected");
  EXPECT_EQ(verdict_word(1.3, gain), "more than expected");
}

TEST(VerdictWord, TheOtherSideOfOneIsNeverAsExpected) {
  EXPECT_EQ(verdict_word(1.0, {0.91, 0.9, 0.92, true, false}), "less than expected");
  EXPECT_EQ(verdict_word(1.1, {0.96, 0.95, 0.97, true, false}), "less than expected");
  EXPECT_EQ(verdict_word(1.0, {1.14, 1.1, 1.2, true, false}), "more than expected");
  EXPECT_EQ(verdict_word(0.9, {0.85, 0.8, 0.88, true, false}), "as expected");
}

TEST(VerdictWord, NoDifferenceMayHaveBeenExpected) {
  const Gain none{1.05, 0.9, 1.2, false, false};
  EXPECT_EQ(verdict_word(1.1, none), "no difference beyond the spread");
  EXPECT_EQ(verdict_word(1.0, none), "as expected");
}

TEST(Gain, RoundsThatDifferTooMuchSayNothing) {
  const std::vector<double> before(9, 1.0);
  const Gain steady = measured_gain({0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, before);
  EXPECT_EQ(verdict_word(2, steady), "as expected");
  const Gain noisy = measured_gain({0.3, 0.7, 0.5, 0.3, 0.7, 0.5, 0.3, 0.7, 0.5}, before);
  EXPECT_EQ(verdict_word(2, noisy), "too noisy to tell");
}

}  // namespace
}  // namespace nbody::attempt
