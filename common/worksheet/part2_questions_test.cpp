#include "worksheet/part2_questions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "worksheet/judge.hpp"
#include "worksheet/paper_processor.hpp"

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

WorksheetTruth truth() {
  WorksheetTruth truth;
  truth.counts_of = [](const std::string& name) -> std::optional<TrueCounts> {
    if (name == "naive" || name == "mine") return counts_of_naive();
    if (name == "mine_batches") return counts_of_batches();
    return std::nullopt;
  };
  truth.notebook_rows = 6;
  return truth;
}

void answer_paper(Part2Answers& a) {
  const PaperProcessor paper = paper_processor_of(a.authors);
  a.full_batches = 1019 / paper.lanes;
  a.left_over = 1019 % paper.lanes;
  a.fillers = paper.lanes - 1019 % paper.lanes;
  a.bound_of_root_and_division = paper.lanes / paper.root_and_division;
  a.bound = paper.lanes * paper.ports / (14.0 + paper.estimate_slots);
  a.third_law_bound = 2 * paper.lanes * paper.ports / (18.0 + paper.estimate_slots);
}

void answer_choices(Part2Answers& a) {
  a.why_structure_of_arrays = 'c';
  a.reduction_permits = 'd';
  a.no_math_errno_permits = 'a';
  a.no_trapping_math_permits = 'b';
  a.selection_permits = 'c';
  a.why_not_add_up_in_the_loop = 'b';
  a.raw_estimate = 'd';
  a.third_law_why = 'a';
  a.double_why = 'c';
}

void answer_measured(Part2Answers& a) {
  a.rows = 4;
  a.rows_predicted = a.rows_measured = 1.1;
  a.speed_up_at_256 = 0.9;
  a.speed_up_at_10000 = 1.9;
  a.threads_pay_from = 400;
  a.double_predicted = 2;
  a.double_measured = 2.8;
  a.interactions_here = 5.7;
  a.clock_here = 4;
  a.bound_here = 1.88;
  a.reached_percent = 76;
}

Part2Answers right_answers(double n) {
  Part2Answers a;
  a.authors = "Ada Lovelace";
  a.naive = {9 * n * n, 8 * n * n, n * n, n * n, unanswered};
  a.sse2 = a.neon = {4, 2};
  a.avx2 = {8, 4};
  a.avx512 = {16, 8};
  a.steps_from_12_to_float = a.steps_from_14_to_float = 1;
  a.steps_from_14_to_double = 2;
  a.instructions = 14;
  a.third_law_instructions = 18;
  a.mine = "mine_batches";
  a.mine_flops = 22 * n * n;
  a.mine_fma = 7 * n * n;
  answer_paper(a);
  answer_choices(a);
  answer_measured(a);
  return a;
}

Lines judged(const std::function<void(Part2Answers&)>& change) {
  return judge_part2(
      [change](double n) {
        Part2Answers a = right_answers(n);
        change(a);
        return a;
      },
      truth());
}

TEST(Part2, RightAnswersAreAllRight) {
  for (const Line& line : judge_part2(right_answers, truth())) {
    EXPECT_TRUE(line.state == State::right || line.state == State::noted)
        << line.number << " " << line.question << ": " << line.words;
  }
}

TEST(Part2, AnEmptySheetHasNothingRightAndNothingWrong) {
  for (const Line& line : judge_part2([](double) { return Part2Answers(); }, truth())) {
    if (line.number == "14") continue;  // the notebook's
    EXPECT_EQ(line.state, State::unanswered) << line.number << " " << line.question;
  }
}

TEST(Part2, TheNotebookWantsRows) {
  WorksheetTruth few = truth();
  few.notebook_rows = 5;
  EXPECT_EQ(judge_part2(right_answers, few).back().state, State::unanswered);
}

// One change, and the numbers of the lines it makes wrong.
struct Slip {
  const char* what;
  void (*make)(Part2Answers&);
  std::vector<std::string> wrong;
};

TEST(Part2, ASlipCostsOnce) {
  const std::vector<Slip> slips = {
      {"layout", [](Part2Answers& a) { a.why_structure_of_arrays = 'b'; }, {"1"}},
      {"permissions swapped",
       [](Part2Answers& a) { std::swap(a.reduction_permits, a.selection_permits); },
       {"2"}},
      {"softening's product forgotten", [](Part2Answers& a) { a.naive.mul *= 7.0 / 8; }, {"3"}},
      {"bytes and not floats", [](Part2Answers& a) { a.avx512.of_float = 64; }, {"4"}},
      {"doubles as floats", [](Part2Answers& a) { a.avx2.of_double = 8; }, {"4"}},
      {"tail counted as a batch", [](Part2Answers& a) { a.full_batches += 1; }, {"4"}},
      {"fillers", [](Part2Answers& a) { a.fillers = a.left_over; }, {"4"}},
      {"cycles and not interactions",
       [](Part2Answers& a) { a.bound_of_root_and_division = 1 / a.bound_of_root_and_division; },
       {"5"}},
      {"sums", [](Part2Answers& a) { a.why_not_add_up_in_the_loop = 'a'; }, {"6"}},
      {"the estimate passes", [](Part2Answers& a) { a.raw_estimate = 'a'; }, {"7"}},
      {"a step adds bits", [](Part2Answers& a) { a.steps_from_14_to_double = 3; }, {"7"}},
      {"one instruction too many, the bound follows",
       [](Part2Answers& a) {
         const PaperProcessor paper = paper_processor_of(a.authors);
         a.instructions = 15;
         a.bound = paper.lanes * paper.ports / (15.0 + paper.estimate_slots);
       },
       {"8"}},
      {"estimate for nothing",
       [](Part2Answers& a) {
         const PaperProcessor paper = paper_processor_of(a.authors);
         a.bound = paper.lanes * paper.ports / 14.0;
       },
       {"8"}},
      {"third law: one interaction a pair",
       [](Part2Answers& a) { a.third_law_bound /= 2; },
       {"10"}},
      {"third law: twice all", [](Part2Answers& a) { a.third_law_why = 'b'; }, {"10"}},
      {"double", [](Part2Answers& a) { a.double_why = 'a'; }, {"12"}},
      {"mine counted as naive", [](Part2Answers& a) { a.mine_flops *= 19.0 / 22; }, {"13"}},
      {"fma as two", [](Part2Answers& a) { a.mine_fma *= 2; }, {"13"}},
      {"share of the wrong number", [](Part2Answers& a) { a.reached_percent = 30; }, {"13"}},
  };
  for (const Slip& slip : slips) {
    std::vector<std::string> wrong;
    for (const Line& line : judged(slip.make)) {
      if (line.state == State::wrong && (wrong.empty() || wrong.back() != line.number)) {
        wrong.push_back(line.number);
      }
    }
    EXPECT_EQ(wrong, slip.wrong) << slip.what;
  }
}

TEST(HiddenCountsOfPart2, OfNaiveUntilQuestion3IsRight) {
  const Lines wrong = judged([](Part2Answers& a) { a.naive.add = 1; });
  const Lines right = judge_part2(right_answers, truth());
  EXPECT_NE(reason_to_hide_counts_of_part2("naive", wrong, truth()), "");
  EXPECT_NE(reason_to_hide_counts_of_part2("mine", wrong, truth()), "");
  EXPECT_EQ(reason_to_hide_counts_of_part2("mine_batches", wrong, truth()), "");
  EXPECT_EQ(reason_to_hide_counts_of_part2("naive", right, truth()), "");
}

TEST(PaperProcessor, DiffersBetweenNames) {
  int wide = 0, narrow = 0, single = 0;
  for (char c = 'a'; c <= 'z'; ++c) {
    const PaperProcessor paper = paper_processor_of(std::string("Student ") + c);
    if (paper.lanes == 16) ++wide;
    if (paper.lanes == 4) ++narrow;
    if (paper.ports == 1) ++single;
    EXPECT_GE(paper.estimate_slots, 1);
    EXPECT_LE(paper.estimate_slots, 4);
  }
  EXPECT_GT(wide, 3);
  EXPECT_GT(narrow, 3);
  EXPECT_GT(single, 2);
  EXPECT_EQ(paper_processor_of("ada lovelace").ports, paper_processor_of("Ada Lovelace").ports);
}

}  // namespace
}  // namespace nbody
