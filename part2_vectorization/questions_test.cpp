#include <algorithm>

#include "paper_machine.hpp"
#include "worksheet/test_questions.hpp"

namespace nbody {
namespace {

TrueCounts counts_of_naive() {
  return TrueCounts({{"add", {9, -9, 0, 1}},
                     {"mul", {8, -5, 0, 1}},
                     {"div", {1, -1, 0, 1}},
                     {"sqrt", {1, -1, 0, 1}},
                     {"fma", {0, 0, 0, 1}},
                     {"flops", {19, -16, 0, 1}}});
}

TrueCounts counts_of_batches() {
  return TrueCounts({{"fma", {7, 0, 0, 1}}, {"flops", {22, 0, 0, 1}}});
}

std::optional<TrueCounts> counts_of(const std::string& name, const std::string&) {
  if (name == "naive" || name == "mine") return counts_of_naive();
  if (name == "mine_batches") return counts_of_batches();
  return std::nullopt;
}

const PaperProcessor paper = paper_processor_of("Ada Lovelace");

void answer_paper(Answers& a) {
  add(a, {{"full_batches", 1019 / paper.lanes},
          {"left_over", 1019 % paper.lanes},
          {"fillers", paper.lanes - 1019 % paper.lanes},
          {"bound_of_root_and_division", paper.lanes / paper.root_and_division},
          {"bound", paper.lanes * paper.ports / (14.0 + paper.estimate_slots)},
          {"third_law_bound", 2 * paper.lanes * paper.ports / (18.0 + paper.estimate_slots)}});
}

void answer_measured(Answers& a) {
  add(a, {{"rows", 4},
          {"rows_predicted", 1.1},
          {"rows_measured", 1.1},
          {"speed_up_at_256", 0.9},
          {"speed_up_at_10000", 1.9},
          {"threads_pay_from", 400},
          {"double_predicted", 2},
          {"double_measured", 2.8},
          {"interactions_here", 5.7},
          {"clock_here", 4},
          {"bound_here", 1.88},
          {"reached_percent", 76}});
}

void answer(Answers& a, double n) {
  a.texts = {{"authors", "Ada Lovelace"}, {"mine", "mine_batches"}};
  add(a, {{"naive_add", 9 * n * n},
          {"naive_mul", 8 * n * n},
          {"naive_div", n * n},
          {"naive_sqrt", n * n},
          {"mine_flops", 22 * n * n},
          {"mine_fma", 7 * n * n},
          {"instructions", 14},
          {"third_law_instructions", 18},
          {"steps_from_12_to_float", 1},
          {"steps_from_14_to_float", 1},
          {"steps_from_14_to_double", 2}});
  for (const auto& [name, floats] :
       std::map<std::string, double>{{"sse2", 4}, {"avx2", 8}, {"avx512", 16}, {"neon", 4}}) {
    add(a, {{name + "_floats", floats}, {name + "_doubles", floats / 2}});
  }
  answer_paper(a);
  answer_measured(a);
}

PartUnderTest part2(const NotebookRows& notebook = ideas(6)) {
  return {questions_of_part(), counts_of, notebook, answer};
}

TEST(Part2, RightAnswersAreAllRight) { part2().expect_all_right(); }

TEST(Part2, AnEmptySheetHasNothingRightAndNothingWrong) {
  part2().expect_nothing_judged_on_an_empty_sheet();
}

TEST(Part2, ChoicesHaveOneRightLetter) { part2().expect_one_right_letter_each(); }

TEST(Part2, TheNotebookWantsRows) {
  EXPECT_EQ(part2(ideas(5)).judged().back().state, State::unanswered);
}

TEST(Part2, RecordedNumbersAreComparedWithTheNotebook) {
  // number, name, n, threads, expected, measured, interactions/s
  const PartUnderTest near = part2({{1, "mine_batches", 5000, 1, 1.2, 1.05, 5.5e9},
                                    {2, "mine", 256, 1, 1, 1, 3e9},
                                    {3, "mine", 256, 2, 1, 1, 2.7e9}});
  const PartUnderTest far = part2({{1, "mine_batches", 5000, 1, 4, 3, 2e9},
                                   {2, "mine", 256, 1, 4, 3, 1e9},
                                   {3, "mine", 256, 2, 4, 3, 2e9}});
  for (const char* question :
       {"predicted gain", "measured gain", "10^9 interactions/s", "speed-up with 256 bodies"}) {
    EXPECT_EQ(near.words_about(question), "") << question;
  }
  EXPECT_EQ(far.words_about("predicted gain"), "4 in the notebook (row 1)");
  EXPECT_EQ(far.words_about("measured gain"), "3 in the notebook (row 1)");
  EXPECT_EQ(far.words_about("10^9 interactions/s"), "2 in the notebook (row 1)");
  EXPECT_EQ(far.words_about("speed-up with 256 bodies"), "2 in the notebook (rows 2, 3)");
  EXPECT_EQ(far.words_about("speed-up with 10000 bodies"), "");
}

TEST(Part2, ASlipCostsOnce) {
  part2().expect_slips({
      {"layout", to_another_letter("why_structure_of_arrays"), {"1"}},
      {"permissions swapped",
       [](Answers& a) {
         std::swap(a.letters["reduction_permits"], a.letters["selection_permits"]);
       },
       {"2"}},
      {"softening's product forgotten", times("naive_mul", 7.0 / 8), {"3"}},
      {"bytes and not floats", to("avx512_floats", 64), {"4"}},
      {"doubles as floats", to("avx2_doubles", 8), {"4"}},
      {"tail counted as a batch", [](Answers& a) { a.numbers["full_batches"] += 1; }, {"4"}},
      {"fillers", [](Answers& a) { a.numbers["fillers"] = a.numbers["left_over"]; }, {"4"}},
      {"cycles and not interactions",
       to("bound_of_root_and_division", paper.root_and_division / paper.lanes),
       {"5"}},
      {"sums", to_another_letter("why_not_add_up_in_the_loop"), {"6"}},
      {"the estimate passes", to_another_letter("raw_estimate"), {"7"}},
      {"a step adds bits", to("steps_from_14_to_double", 3), {"7"}},
      {"one instruction too many, the bound follows",
       [](Answers& a) {
         a.numbers["instructions"] = 15;
         a.numbers["bound"] = paper.lanes * paper.ports / (15.0 + paper.estimate_slots);
       },
       {"8"}},
      {"estimate for nothing", to("bound", paper.lanes * paper.ports / 14.0), {"8"}},
      {"third law: one interaction a pair", times("third_law_bound", 0.5), {"10"}},
      {"third law: twice all", to_another_letter("third_law_why"), {"10"}},
      {"double", to_another_letter("double_why"), {"12"}},
      {"mine counted as naive", times("mine_flops", 19.0 / 22), {"13"}},
      {"fma as two", times("mine_fma", 2), {"13"}},
      {"share of the wrong number", to("reached_percent", 30), {"13"}},
  });
}

TEST(HiddenCountsOfPart2, OfNaiveUntilQuestion3IsRight) {
  const Change wrong = to("naive_add", 1);
  EXPECT_EQ(part2().hidden("naive", wrong),
            "count by hand first: the numbers are shown once question 3 of worksheet.hpp is right "
            "(./lab worksheet part2)");
  EXPECT_NE(part2().hidden("mine", wrong), "");
  EXPECT_EQ(part2().hidden("mine_batches", wrong), "");
  EXPECT_EQ(part2().hidden("naive"), "");
}

TEST(PaperProcessor, DiffersBetweenNames) {
  int wide = 0, narrow = 0, single = 0;
  for (char c = 'a'; c <= 'z'; ++c) {
    const PaperProcessor other = paper_processor_of(std::string("Student ") + c);
    if (other.lanes == 16) ++wide;
    if (other.lanes == 4) ++narrow;
    if (other.ports == 1) ++single;
    EXPECT_GE(other.estimate_slots, 1);
    EXPECT_LE(other.estimate_slots, 4);
  }
  EXPECT_GT(wide, 3);
  EXPECT_GT(narrow, 3);
  EXPECT_GT(single, 2);
  EXPECT_EQ(paper_processor_of("ada lovelace").ports, paper.ports);
}

}  // namespace
}  // namespace nbody
