#include "worksheet/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bodies/input_error.hpp"

namespace nbody {
namespace {

Line line(const std::string& number, Kind kind, State state) {
  return {number, "question", kind, state == State::unanswered ? "" : "7", state, ""};
}

std::string text_of(const Lines& lines) {
  return worksheet_text({"part1", "Ada Lovelace", "a machine", lines}, Disclosure::total);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(WorksheetReport, NamesWhatIsWrongAndWhatIsMissing) {
  Line sum = line("3", Kind::exact, State::wrong);
  sum.is_sum = true;
  const std::string text =
      text_of({line("1", Kind::recorded, State::noted), line("3", Kind::exact, State::hidden), sum,
               line("4", Kind::exact, State::right), line("5", Kind::exact, State::waiting),
               line("6", Kind::exact, State::unanswered)});
  EXPECT_TRUE(contains(text, "4 of 5 lines answered; wrong: 3; missing or waiting: 5, 6\n"))
      << text;
}

TEST(WorksheetReport, AnEmptySheetHasNoList) {
  const std::string text = text_of({line("1", Kind::exact, State::unanswered)});
  EXPECT_TRUE(contains(text, "0 of 1 line answered\n")) << text;
}

// One letter alone would be found by trying.
TEST(WorksheetReport, HowManyLettersAreRightIsToldOnceAllAreGiven) {
  Lines lines = {line("8", Kind::choice, State::right), line("10", Kind::choice, State::wrong),
                 line("11", Kind::choice, State::unanswered)};
  EXPECT_TRUE(contains(text_of(lines), "choices: 2 of 3 given;")) << text_of(lines);
  EXPECT_FALSE(contains(text_of(lines), "wrong")) << text_of(lines);
  EXPECT_FALSE(any_wrong(lines));
  lines.back().state = State::wrong;
  EXPECT_TRUE(contains(text_of(lines), "choices: 1 of 3 right;")) << text_of(lines);
}

// Of a choice alone the number of right ones would be the answer.
TEST(WorksheetReport, AQuestionAloneTellsNothingOfChoices) {
  const Sheet sheet = {"part1",
                       "Ada Lovelace",
                       "a machine",
                       {line("7", Kind::exact, State::right), line("8", Kind::choice, State::right),
                        line("8", Kind::choice, State::wrong)}};
  const Lines lines = lines_of_question(sheet, "8");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_FALSE(any_wrong(lines));
  const std::string text = question_text(lines, Disclosure::total);
  EXPECT_FALSE(contains(text, "right") || contains(text, "wrong")) << text;
  try {
    lines_of_question(sheet, "33");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "part1 has no question '33'; its last one is 8");
  }
}

TEST(WorksheetReport, AQuestionAloneHasNoEmptyColumnsAndATotal) {
  const Lines open = {line("3", Kind::exact, State::unanswered),
                      line("3", Kind::exact, State::unanswered)};
  EXPECT_EQ(question_text(open, Disclosure::total),
            "  no  question  kind\n"
            "  --  --------  -----\n"
            "   3  question  exact\n"
            "      question  exact\n"
            "\n0 of 2 lines answered\n");
}

TEST(WorksheetReport, ALongVerdictGoesOnBelow) {
  Line long_one = line("13", Kind::exact, State::wrong);
  long_one.question = "memops of mine_with_a_long_name_of_its_own, all";
  long_one.words = "twice as many: does the code take i with j and j with i, or each pair once?";
  const std::string text = text_of({long_one});
  std::size_t longest = 0, begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    longest = std::max(longest, end - begin);
  }
  EXPECT_LE(longest, 100u) << text;
  EXPECT_GT(longest, 80u) << text;
  EXPECT_TRUE(contains(text, "wrong: twice as many: does")) << text;
  EXPECT_TRUE(contains(text, "pair once?\n")) << text;
}

}  // namespace
}  // namespace nbody
