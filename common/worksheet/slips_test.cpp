#include "worksheet/slips.hpp"

#include <gtest/gtest.h>

#include <set>

#include "worksheet/judge.hpp"

namespace nbody {
namespace {

constexpr double tolerance = 0.005;
const double n = judged_sizes[0], m = judged_sizes[1];

bool is_of_one_call(Unit unit) {
  return unit == Unit::operations || unit == Unit::fma || unit == Unit::numbers ||
         unit == Unit::bytes;
}

// With a half, so that cutting it off shows.
AtBothSizes truth_of(Unit unit) {
  if (!is_of_one_call(unit)) return {3.85, 3.85};
  return {10.5 * n * (n - 1), 10.5 * m * (m - 1)};
}

AtBothSizes times(double factor, const AtBothSizes& truth) {
  return {factor * truth.first, factor * truth.second};
}

TEST(Slips, EachIsNamedByItsSentence) {
  for (const KnownSlip& slip : known_slips()) {
    const AtBothSizes truth = truth_of(slip.unit);
    const AtBothSizes answer = {slip.made(truth.first, n), slip.made(truth.second, m)};
    EXPECT_EQ(slip_in(slip.unit, answer, truth, tolerance), slip.sentence);
    EXPECT_EQ(slip_in(Unit::none, answer, truth, tolerance), "");
  }
}

TEST(Slips, NoneInARightAnswerAndNoneInAnotherWrongOne) {
  for (const KnownSlip& slip : known_slips()) {
    const AtBothSizes truth = truth_of(slip.unit);
    for (const double factor : {1.0, 1.004, 0.0, 0.6, 0.9, 1.1, 1.37, 3.0, 5.0, 10.0, 50.0}) {
      EXPECT_EQ(slip_in(slip.unit, times(factor, truth), truth, tolerance), "") << factor;
    }
  }
}

// By chance one size may fit.
TEST(Slips, NoneThatOneOfTheSizesShowsOnly) {
  const AtBothSizes truth = truth_of(Unit::numbers);
  EXPECT_NE(slip_in(Unit::numbers, times(4, truth), truth, tolerance), "");
  EXPECT_EQ(slip_in(Unit::numbers, {4 * truth.first, 4 * truth.first}, truth, tolerance), "");
}

TEST(Slips, NoneInAnythingAboutNothing) {
  for (const KnownSlip& slip : known_slips()) {
    EXPECT_EQ(slip_in(slip.unit, {7, 7}, {0, 0}, tolerance), "");
  }
}

// What a student types, as C++ computes it.
TEST(Slips, AnExpressionOfWholeNumbersIsFound) {
  const auto typed = [](double n) { return 7 / 2 * n * n; };
  const auto meant = [](double n) { return 7 * n * n / 2; };
  const auto in_calls = slip_in(Unit::numbers, {typed(n), typed(m)}, {meant(n), meant(m)}, 0.005);
  EXPECT_EQ(in_calls, "C++ divides whole numbers: 7 / 2 is 3 there; write 7.0 / 2");
  EXPECT_EQ(slip_in(Unit::ratio, {4 / 3, 4 / 3}, {4.0 / 3, 4.0 / 3}, 0.015), in_calls);
}

TEST(Slips, NoTwoOfAUnitAreTheSameSentence) {
  std::set<std::pair<Unit, std::string>> seen;
  for (const KnownSlip& slip : known_slips()) {
    EXPECT_TRUE(seen.insert({slip.unit, slip.sentence}).second) << slip.sentence;
  }
}

// --- in the lines of a worksheet
// -------------------------------------------------------------------

CountedClass loads(double factor) {
  const AtBothSizes truth = {14 * n * n, 14 * m * m};
  return {"loads", times(factor, truth), truth, Unit::numbers};
}
CountedClass stores(double factor) {
  const AtBothSizes truth = {3 * n * n, 3 * m * m};
  return {"stores", times(factor, truth), truth, Unit::numbers};
}
Lines judged(const CountedClass& one, const CountedClass& other, Disclosure disclosure) {
  return judge_counts("4", {one, other}, "all", tolerance, disclosure);
}

TEST(SlipsInLines, TheSumNamesASlipOfAllClasses) {
  const Lines lines = judged(loads(4), stores(4), Disclosure::total);
  EXPECT_EQ(lines[0].words + lines[1].words, "");
  EXPECT_EQ(lines[2].words, "bytes of float? numbers are asked, whatever their size");
}

TEST(SlipsInLines, ASlipOfOneClassIsNamedWhereTheClassIs) {
  Lines lines = judged(loads(4), stores(1), Disclosure::total);
  EXPECT_EQ(lines[2].words, "too many");
  lines = judged(loads(4), stores(1), Disclosure::which);
  EXPECT_EQ(lines[0].words, "bytes of float? numbers are asked, whatever their size");
  EXPECT_EQ(lines[1].words, "");
  EXPECT_EQ(lines[2].words, "too many");
}

TEST(SlipsInLines, ANumberInsteadOfWhatItFollowsFrom) {
  const Question question = follows("10", "", "", 0.05, "question 9", nullptr).in(Unit::percent);
  EXPECT_EQ(judge_number(question, 0.8, 80).words, "a share of 1? percent are asked: times 100");
  EXPECT_EQ(judge_number(question, 8, 80).words, "does not follow from question 9");
  EXPECT_EQ(judge_number(question, 80, 80).words, "");
}

}  // namespace
}  // namespace nbody
