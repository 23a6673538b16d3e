#include "worksheet/part1_questions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "worksheet/paper_machine.hpp"

namespace nbody {
namespace {

// What the count program says of naive.hpp (common/work/count_program_test.cpp).
TrueCounts counts_of_naive() {
  return TrueCounts({{"add", {9, -9, 0, 1}},
                     {"mul", {5, -5, 0, 1}},
                     {"div", {7, -7, 0, 1}},
                     {"sqrt", {1, -1, 0, 1}},
                     {"pow", {5, -5, 0, 1}},
                     {"flops", {27, -27, 0, 1}},
                     {"loads", {14, -14, 0, 1}},
                     {"stores", {3, 0, 0, 1}}});
}

TrueCounts counts_of_third_law() {
  return TrueCounts(
      {{"flops", {13, -13, 0, 1}}, {"loads", {7, 0, 0, 2}}, {"stores", {2, 0, 0, 1}}});
}

Part1Truth truth() {
  Part1Truth truth;
  truth.counts_of = [](const std::string& name) -> std::optional<TrueCounts> {
    if (name == "naive" || name == "mine") return counts_of_naive();
    if (name == "mine_third_law") return counts_of_third_law();
    return std::nullopt;
  };
  truth.notebook_rows = 4;
  return truth;
}

Part1Answers right_answers(double n) {
  const PaperMachine machine = paper_machine_of("Ada Lovelace");
  const double pairs = n * (n - 1);
  Part1Answers a;
  a.authors = "Ada Lovelace";
  a.forces_percent = 74;
  a.neighbours_percent = 25;
  a.speed_up_without_forces = 3.85;
  a.naive = {9 * pairs, 5 * pairs, 7 * pairs, pairs, 5 * pairs};
  a.naive_memory = {14 * pairs, 3 * n * n};
  a.naive_memory_in_registers = {4 * n * n, 3 * n};
  a.intensity = 0.397;
  a.intensity_in_registers = 1.69;
  a.attainable_on_paper = attainable(0.397, machine.peak, machine.bandwidth);
  a.attainable_on_paper_in_registers = attainable(1.69, machine.peak, machine.bandwidth);
  const bool memory = a.attainable_on_paper < machine.peak;
  const bool memory_in_registers = a.attainable_on_paper_in_registers < machine.peak;
  a.bound_on_paper = memory ? (memory_in_registers ? 'b' : 'c') : 'a';
  a.peak_here = 7.5;
  a.bandwidth_here = 30;
  a.attainable_here = 7.5;
  a.naive_gflops_here = 6;
  a.reached_percent = 80;
  a.limited_by = 'd';
  a.with_more_bodies = 'c';
  a.time_ratio = 400;
  a.mine = "mine_third_law";
  a.mine_flops = 13 * pairs;
  a.mine_memory = {3.5 * n * n, 2 * n * n};
  a.before_third_law = "naive";
  a.third_law = "mine_third_law";
  a.third_law_flops_ratio = 0.48;
  a.third_law_why = 'b';
  a.first_block_percent = 75;
  a.best_speed_up_of_blocks = 1.33;
  a.threads = 2;
  a.speed_up_with_threads = 1.9;
  a.serial_fraction = 0.053;
  a.error_of_race = 0.02;
  a.which_pass = 'b';
  return a;
}

std::string wrong_lines(const Lines& lines) {
  std::string text;
  for (const Line& line : lines) {
    if (line.state != State::right && line.state != State::noted) {
      text += line.number + " " + line.question + ": " + line.words + "\n";
    }
  }
  return text;
}

Lines judged(const std::function<void(Part1Answers&)>& change) {
  return judge_part1(
      [change](double n) {
        Part1Answers a = right_answers(n);
        change(a);
        return a;
      },
      truth());
}

TEST(Part1, RightAnswersAreAllRight) {
  EXPECT_EQ(wrong_lines(judge_part1(right_answers, truth())), "");
}

TEST(Part1, AnEmptySheetHasNothingRightAndNothingWrong) {
  const Lines lines = judge_part1([](double) { return Part1Answers(); }, truth());
  for (const Line& line : lines) {
    if (line.number == "14") continue;  // the notebook's
    EXPECT_EQ(line.state, State::unanswered) << line.number << " " << line.question;
  }
}

// One change, and the numbers of the lines it makes wrong.
struct Slip {
  const char* what;
  void (*make)(Part1Answers&);
  std::vector<std::string> wrong;
};

TEST(Part1, ASlipCostsOnce) {
  const std::vector<Slip> slips = {
      {"profile read wrong: only flagged",
       [](Part1Answers& a) {
         a.forces_percent = 50;
         a.speed_up_without_forces = 2;
       },
       {}},
      {"Amdahl wrong", [](Part1Answers& a) { a.speed_up_without_forces = 1.35; }, {"2"}},
      {"one add too many, intensity follows",
       [](Part1Answers& a) {
         a.naive.add *= 10.0 / 9;
         a.intensity = 28 / 67.944;
         a.intensity_in_registers = 28 / 16.012;
         a.attainable_on_paper = unanswered;
         a.attainable_on_paper_in_registers = unanswered;
         a.bound_on_paper = no_choice;
         a.attainable_here = unanswered;
         a.reached_percent = unanswered;
       },
       {"3"}},
      {"stores forgotten", [](Part1Answers& a) { a.naive_memory.stores = 0; }, {"4", "6"}},
      {"sums of i stored in the loop",
       [](Part1Answers& a) { a.naive_memory_in_registers.stores *= 1000; },
       {"5", "6"}},
      {"intensity in flop/number", [](Part1Answers& a) { a.intensity *= 4; }, {"6"}},
      {"peak with fma", [](Part1Answers& a) { a.attainable_on_paper_in_registers = 1000; }, {"7"}},
      {"limited by the peak", [](Part1Answers& a) { a.limited_by = 'a'; }, {"10"}},
      {"share of the wrong number", [](Part1Answers& a) { a.reached_percent = 8; }, {"10"}},
      {"rate falls", [](Part1Answers& a) { a.with_more_bodies = 'd'; }, {"11"}},
      {"time grows like n", [](Part1Answers& a) { a.time_ratio = 20; }, {"12"}},
      {"mine counted as naive", [](Part1Answers& a) { a.mine_flops *= 27.0 / 13; }, {"13"}},
      {"ratio upside down", [](Part1Answers& a) { a.third_law_flops_ratio = 2.08; }, {"15"}},
      {"half of the pairs", [](Part1Answers& a) { a.first_block_percent = 50; }, {"17"}},
      {"two threads, twice as fast",
       [](Part1Answers& a) { a.best_speed_up_of_blocks = 2; },
       {"17"}},
      {"efficiency and not Karp-Flatt", [](Part1Answers& a) { a.serial_fraction = 0.95; }, {"18"}},
      {"the race passes", [](Part1Answers& a) { a.which_pass = 'a'; }, {"19"}},
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

TEST(Part1, AnUnusualProfileIsFlaggedOnly) {
  for (const Line& line : judged([](Part1Answers& a) { a.forces_percent = 50; })) {
    const bool flagged = line.words == "unusual: look again";
    EXPECT_EQ(flagged, line.question == "profile: forces, %") << line.question;
  }
}

TEST(HiddenCounts, OfNaiveUntilItsLinesAreRight) {
  const Lines wrong = judged([](Part1Answers& a) { a.naive.add = 1; });
  const Lines right = judge_part1(right_answers, truth());
  EXPECT_NE(reason_to_hide_counts("naive", wrong, truth()), "");
  EXPECT_EQ(reason_to_hide_counts("naive", right, truth()), "");
}

TEST(HiddenCounts, OfAnUnchangedMineAsWell) {
  const Lines wrong = judged([](Part1Answers& a) { a.naive.add = 1; });
  EXPECT_NE(reason_to_hide_counts("mine", wrong, truth()), "");
  EXPECT_EQ(reason_to_hide_counts("mine_third_law", wrong, truth()), "");
}

TEST(PaperMachine, IsTheSameForTheSameLettersAndDiffersBetweenNeighbours) {
  const PaperMachine one = paper_machine_of("Ada Lovelace, Charles Babbage");
  const PaperMachine same = paper_machine_of("ada lovelace,charles  babbage");
  EXPECT_EQ(one.peak, same.peak);
  EXPECT_EQ(one.bandwidth, same.bandwidth);
  const PaperMachine other = paper_machine_of("Grace Hopper");
  EXPECT_TRUE(other.peak != one.peak || other.bandwidth != one.bandwidth);
  EXPECT_THROW(paper_machine_of(" ,"), std::invalid_argument);
}

TEST(PaperMachine, AllThreeVerdictsOccurAndNoneIsClose) {
  int by_computing = 0, by_memory = 0, mixed = 0;
  for (int k = 0; k < 300; ++k) {
    const std::string name =
        std::string("Student ") + static_cast<char>('a' + k % 26) + static_cast<char>('a' + k / 26);
    const PaperMachine machine = paper_machine_of(name);
    const double written = 0.397 * machine.bandwidth / machine.peak;
    const double registers = 1.69 * machine.bandwidth / machine.peak;
    EXPECT_GT(std::abs(written - 1), 0.1) << name;
    EXPECT_GT(std::abs(registers - 1), 0.1) << name;
    (registers < 1 ? by_memory : written < 1 ? mixed : by_computing)++;
  }
  EXPECT_GT(std::min({by_computing, by_memory, mixed}), 60);
}

}  // namespace
}  // namespace nbody
