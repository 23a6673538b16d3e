#include "worksheet/judge.hpp"

#include <gtest/gtest.h>

#include "bodies/input_error.hpp"

namespace nbody {
namespace {

AtBothSizes at_both(double (*f)(double)) { return {f(judged_sizes[0]), f(judged_sizes[1])}; }

double nine_pairs(double n) { return 9 * n * (n - 1); }
double ten_pairs(double n) { return 10 * n * (n - 1); }
double five_pairs(double n) { return 5 * n * (n - 1); }
double four_pairs(double n) { return 4 * n * (n - 1); }
double without_the_diagonal(double n) { return 9 * n * n; }
double only_for_1000(double) { return nine_pairs(1000); }
double zero(double) { return 0; }

CountedClass adds(double (*answer)(double)) {
  return {"adds", at_both(answer), at_both(nine_pairs)};
}
CountedClass muls(double (*answer)(double)) {
  return {"muls", at_both(answer), at_both(five_pairs)};
}

TEST(Counts, RightOnesAndTheirSumAreRight) {
  const Lines lines =
      judge_counts("3", {adds(nine_pairs), muls(five_pairs)}, "all", 0.005, Disclosure::total);
  ASSERT_EQ(lines.size(), 3u);
  for (const Line& line : lines) EXPECT_EQ(line.state, State::right) << line.question;
  EXPECT_EQ(lines[0].answer, "9 n^2 - 9 n");
  EXPECT_EQ(lines[2].answer, "14 n^2 - 14 n");
}

TEST(Counts, TheDiagonalMakesNoDifference) {
  EXPECT_EQ(judge_counts("3", {adds(without_the_diagonal)}, "", 0.005, Disclosure::total)[0].state,
            State::right);
}

TEST(Counts, ANumberThatIsNoExpressionIsFound) {
  const Lines lines = judge_counts("3", {adds(only_for_1000)}, "", 0.005, Disclosure::total);
  EXPECT_EQ(lines[0].state, State::wrong);
  EXPECT_EQ(lines[0].words, "right for n = 1000 only: write an expression of n");
}

// The three stages.
TEST(Counts, FirstOnlyTooManyOrTooFew) {
  const Lines lines =
      judge_counts("3", {adds(ten_pairs), muls(five_pairs)}, "all", 0.005, Disclosure::total);
  EXPECT_EQ(lines[0].state, State::hidden);
  EXPECT_EQ(lines[1].state, State::hidden);
  EXPECT_EQ(lines[0].words + lines[1].words, "");
  EXPECT_EQ(lines[2].state, State::wrong);
  EXPECT_EQ(lines[2].words, "too many");
}

TEST(Counts, ThenWhich) {
  const Lines lines =
      judge_counts("3", {adds(nine_pairs), muls(four_pairs)}, "all", 0.005, Disclosure::which);
  EXPECT_EQ(lines[0].state, State::right);
  EXPECT_EQ(lines[1].state, State::wrong);
  EXPECT_EQ(lines[1].words, "too few");
}

TEST(Counts, ThenByHowMuch) {
  const Lines lines = judge_counts("3", {adds(nine_pairs), muls(four_pairs)}, "all", 0.005,
                                   Disclosure::by_how_much);
  EXPECT_EQ(lines[1].words, "too few: by 1.00 an interaction, 999000 in all with n = 1000");
}

TEST(Counts, AnAnswerOfZeroIsNoOracle) {
  const Lines lines =
      judge_counts("3", {adds(zero), muls(five_pairs)}, "all", 0.005, Disclosure::by_how_much);
  EXPECT_EQ(lines[0].words, "too few, far off: count again before you ask by how much");
  for (const Line& line : lines) EXPECT_EQ(line.words.find("9"), std::string::npos);
}

TEST(Counts, TwoWrongsDoNotMakeARight) {
  const Lines lines =
      judge_counts("3", {adds(ten_pairs), muls(four_pairs)}, "all", 0.005, Disclosure::total);
  EXPECT_EQ(lines[2].state, State::wrong);
  EXPECT_EQ(lines[2].words, "the sum is right, its parts are not");
}

TEST(Counts, NothingIsToldBeforeAllAnswersStand) {
  CountedClass open = muls(five_pairs);
  open.answer = {unanswered, unanswered};
  const Lines lines =
      judge_counts("3", {adds(ten_pairs), open}, "all", 0.005, Disclosure::by_how_much);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].state, State::waiting);
  EXPECT_EQ(lines[1].state, State::unanswered);
}

TEST(Counts, WhatWasNotCountedIsNotJudged) {
  CountedClass unknown = adds(ten_pairs);
  unknown.truth = std::nullopt;
  const Lines lines = judge_counts("13", {unknown}, "", 0.005, Disclosure::total);
  EXPECT_EQ(lines[0].state, State::waiting);
  EXPECT_EQ(lines[0].words, "not counted; ./lab count says why");
}

TEST(Counts, WhatIsNoNumberForEveryNLeavesTheOthersToBeJudged) {
  CountedClass unknown = muls(five_pairs);
  unknown.truth = std::nullopt;
  unknown.answer = {unanswered, unanswered};
  const Lines lines =
      judge_counts("13", {adds(nine_pairs), unknown}, "all", 0.005, Disclosure::total);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].state, State::right);
  EXPECT_EQ(lines[1].state, State::noted);
  EXPECT_EQ(lines[1].words, "not asked: it depends on where the bodies are");
}

TEST(Counts, TermsInNAreTold) {
  const Lines lines = judge_counts("3", {adds(without_the_diagonal), muls(five_pairs)}, "all",
                                   0.005, Disclosure::total);
  EXPECT_EQ(lines[0].state, State::right);
  EXPECT_EQ(lines[0].words, "terms in n aside");
  EXPECT_EQ(lines[1].words, "");
  EXPECT_EQ(lines[2].words, "terms in n aside");
}

TEST(FollowThrough, IsJudgedByTheStudentsOwnAnswers) {
  const Question question = follows("2", "", "", 0.02, "question 1", nullptr);
  EXPECT_EQ(judge_number(question, 3.85, 1 / (1 - 0.74)).state, State::right);
  EXPECT_EQ(judge_number(question, 1.35, 1 / (1 - 0.74)).state, State::wrong);
  EXPECT_EQ(judge_number(question, 3.85, unanswered).state, State::waiting);
  EXPECT_EQ(judge_number(question, unanswered, 3.85).state, State::unanswered);
}

TEST(Choice, IsRightWrongOrNone) {
  const Question question = choice("10", "", "limited_by", seal_of("limited_by", 'd'));
  EXPECT_EQ(judge_choice(question, 'd').state, State::right);
  EXPECT_EQ(judge_choice(question, 'a').state, State::wrong);
  const Question another = choice("11", "", "which_pass", seal_of("limited_by", 'd'));
  EXPECT_EQ(judge_choice(another, 'd').state, State::wrong);
  EXPECT_EQ(judge_choice(question, no_choice).state, State::unanswered);
}

TEST(Choice, ALetterThatIsNoChoiceIsNoAnswer) {
  for (const char letter : {'e', 'B', '1'}) {
    Given given;
    given.answers.first.add("limited_by", letter);
    given.answers.second.add("limited_by", letter);
    for (Question question : {choice("10", "", "limited_by", seal_of("limited_by", letter)),
                              choice("10", "", "limited_by", 0)}) {
      const Line line = judge(question, given, Disclosure::total).front();
      EXPECT_EQ(line.state, State::unanswered);
      EXPECT_EQ(line.words, "the choices are a, b, c and d, in small letters");
    }
  }
}

TEST(Points, AreOneUnlessAQuestionIsWorthMore) {
  Given given;
  given.answers.first.add("threads", 2.0);
  given.answers.second.add("threads", 2.0);
  EXPECT_EQ(judge(recorded("18", "", "threads"), given, Disclosure::total)[0].points, 1);
  EXPECT_EQ(judge(recorded("18", "", "threads").worth(3), given, Disclosure::total)[0].points, 3);
}

TEST(Given, AMissingAnswerIsNamed) {
  const Given empty;
  try {
    empty.letter("limited_by");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "worksheet.hpp: there is no char limited_by in it: bring it back");
  }
}

TEST(ExpressionText, ShowsWhatStands) {
  EXPECT_EQ(expression_text(at_both([](double n) { return 27 * n * n - 27 * n; })),
            "27 n^2 - 27 n");
  EXPECT_EQ(expression_text(at_both([](double n) { return 3 * n; })), "3 n");
  EXPECT_EQ(expression_text(at_both([](double n) { return 5.5 * n * n + n / 2; })),
            "5.5 n^2 + 0.5 n");
  EXPECT_EQ(expression_text(at_both([](double n) { return n * n - n; })), "n^2 - n");
  EXPECT_EQ(expression_text(at_both(zero)), "0");
  EXPECT_EQ(expression_text(at_both(only_for_1000)), "8.991e+06 with n = 1000");
}

}  // namespace
}  // namespace nbody
