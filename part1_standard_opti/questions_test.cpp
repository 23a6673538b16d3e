#include <algorithm>

#include "paper_machine.hpp"
#include "worksheet/test_questions.hpp"

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

std::optional<TrueCounts> counts_of(const std::string& name, const std::string&) {
  if (name == "naive" || name == "mine") return counts_of_naive();
  if (name == "mine_third_law") return counts_of_third_law();
  return std::nullopt;
}

void answer_paper(Answers& a) {
  const PaperMachine machine = paper_machine_of("Ada Lovelace");
  const double written = attainable(0.397, machine.peak, machine.bandwidth);
  const double registers = attainable(1.69, machine.peak, machine.bandwidth);
  a.add("attainable_on_paper", written);
  a.add("attainable_on_paper_in_registers", registers);
  const bool memory = written < machine.peak, memory_in_registers = registers < machine.peak;
  a.add("bound_on_paper", memory ? (memory_in_registers ? 'b' : 'c') : 'a');
}

void answer_counts(Answers& a, double n) {
  const double pairs = n * (n - 1);
  add(a, {{"naive_add", 9 * pairs},
          {"naive_mul", 5 * pairs},
          {"naive_div", 7 * pairs},
          {"naive_sqrt", pairs},
          {"naive_pow", 5 * pairs},
          {"naive_loads", 14 * pairs},
          {"naive_stores", 3 * n * n},
          {"naive_loads_in_registers", 4 * n * n},
          {"naive_stores_in_registers", 3 * n},
          {"mine_flops", 13 * pairs},
          {"mine_loads", 3.5 * n * n},
          {"mine_stores", 2 * n * n}});
}

void answer(Answers& a, double n) {
  a.texts = {{"authors", "Ada Lovelace"},
             {"mine", "mine_third_law"},
             {"before_third_law", "naive"},
             {"third_law", "mine_third_law"}};
  add(a, {{"forces_percent", 74},
          {"neighbours_percent", 25},
          {"speed_up_without_forces", 3.85},
          {"intensity", 0.397},
          {"intensity_in_registers", 1.69},
          {"peak_here", 7.5},
          {"bandwidth_here", 30},
          {"attainable_here", 7.5},
          {"naive_gflops_here", 6},
          {"reached_percent", 80},
          {"time_ratio", 400},
          {"third_law_flops_ratio", 0.48},
          {"first_block_percent", 75},
          {"best_speed_up_of_blocks", 1.33},
          {"threads", 2},
          {"speed_up_with_threads", 1.9},
          {"serial_fraction", 0.053},
          {"error_of_race", 0.02}});
  answer_counts(a, n);
  answer_paper(a);
}

PartUnderTest part1(const NotebookRows& notebook = ideas(4)) {
  return {questions_of_part(), counts_of, notebook, answer};
}

TEST(Part1, RightAnswersAreAllRight) { part1().expect_all_right(); }

// The answer is 1.9 with 2 threads.
TEST(Part1, ASpeedUpIsComparedWithTheNotebook) {
  const auto words = [](double with_two_threads) {
    const NotebookRows notebook = {{1, "mine", 2000, 1, 1, 1, 1e9},
                                   {2, "mine", 2000, 4, 1, 1, 1.9e9},
                                   {3, "mine", 2000, 2, 1, 1, with_two_threads}};
    return part1(notebook).words_about("speed-up with them");
  };
  EXPECT_EQ(words(1.8e9), "");
  EXPECT_EQ(words(1.2e9), "1.2 in the notebook (rows 1, 3)");
  EXPECT_EQ(part1().words_about("speed-up with them"), "");
}

TEST(Part1, AnEmptySheetHasNothingRightAndNothingWrong) {
  part1().expect_nothing_judged_on_an_empty_sheet();
}

TEST(Part1, ChoicesHaveOneRightLetter) { part1().expect_one_right_letter_each(); }

TEST(Part1, ASlipCostsOnce) {
  part1().expect_slips({
      {"profile read wrong: only flagged",
       [](Answers& a) {
         a.numbers["forces_percent"] = 50;
         a.numbers["speed_up_without_forces"] = 2;
       },
       {}},
      {"Amdahl wrong", to("speed_up_without_forces", 1.35), {"2"}},
      {"one add too many, intensity follows",
       [](Answers& a) {
         a.numbers["naive_add"] *= 10.0 / 9;
         a.numbers["intensity"] = 28 / 67.944;
         a.numbers["intensity_in_registers"] = 28 / 16.012;
         for (const char* later : {"attainable_on_paper", "attainable_on_paper_in_registers",
                                   "attainable_here", "reached_percent"}) {
           a.numbers[later] = unanswered;
         }
         a.letters["bound_on_paper"] = no_choice;
       },
       {"3"}},
      {"stores forgotten", to("naive_stores", 0), {"4", "6"}},
      {"sums of i stored in the loop", times("naive_stores_in_registers", 1000), {"5", "6"}},
      {"intensity in flop/number", times("intensity", 4), {"6"}},
      {"peak with fma", to("attainable_on_paper_in_registers", 1000), {"7"}},
      {"limited by the peak", to_another_letter("limited_by"), {"10"}},
      {"share of the wrong number", to("reached_percent", 8), {"10"}},
      {"rate falls", to_another_letter("with_more_bodies"), {"11"}},
      {"time grows like n", to("time_ratio", 20), {"12"}},
      {"mine counted as naive", times("mine_flops", 27.0 / 13), {"13"}},
      {"ratio upside down", to("third_law_flops_ratio", 2.08), {"15"}},
      {"half of the pairs", to("first_block_percent", 50), {"17"}},
      {"two threads, twice as fast", to("best_speed_up_of_blocks", 2), {"17"}},
      {"efficiency and not Karp-Flatt", to("serial_fraction", 0.95), {"18"}},
      {"the race passes", to_another_letter("which_pass"), {"19"}},
  });
}

TEST(Part1, AnUnusualProfileIsFlaggedOnly) {
  for (const Line& line : part1().judged(to("forces_percent", 50))) {
    const bool flagged = line.words == "unusual: look again";
    EXPECT_EQ(flagged, line.question == "profile: forces, %") << line.question;
  }
}

// The words of the first line that is about this answer.
void expect_named(const Change& slip, const std::string& line, const std::string& words) {
  for (const Line& judged : part1().judged(slip)) {
    if (judged.question != line) continue;
    EXPECT_EQ(judged.state, State::wrong) << line;
    EXPECT_EQ(judged.words, words) << line;
    return;
  }
  ADD_FAILURE() << "no line " << line;
}

TEST(Part1, KnownSlipsAreNamed) {
  const auto whole = [](Answers& a) { a.add("best_speed_up_of_blocks", double(4 / 3)); };
  const std::string cut = "C++ divides whole numbers: 7 / 2 is 3 there; write 7.0 / 2";
  expect_named(whole, "best speed-up of two blocks", cut);
  expect_named(times("mine_loads", 3 / 3.5), "memops of mine_third_law, all", "too few");
  expect_named(all({times("naive_loads", 4), times("naive_stores", 4)}), "memops of naive, all",
               "bytes of float? numbers are asked, whatever their size");
  expect_named(times("intensity", 4), "flop/byte as written, float",
               "flops for each number? a float has 4 bytes");
  expect_named(times("attainable_on_paper", 2), "paper machine, as written, Gflop/s",
               "twice as much: with fma? naive has none");
  expect_named(times("reached_percent", 0.01), "share of attainable, %",
               "a share of 1? percent are asked: times 100");
  expect_named(times("serial_fraction", 100), "serial fraction", "percent? a share of 1 is asked");
  expect_named(to("third_law_flops_ratio", 2.08), "third law: flops over those before",
               "the other way round: what is divided by what?");
  expect_named(to("time_ratio", 20), "time with 20000 bodies over 1000", "");
}

TEST(Part1, AProfileInSharesIsFlagged) {
  for (const Line& line : part1().judged(to("forces_percent", 0.74))) {
    if (line.question != "profile: forces, %") continue;
    EXPECT_EQ(line.words, "a share of 1? percent are asked: times 100");
  }
}

TEST(HiddenCounts, OfNaiveUntilItsLinesAreRight) {
  EXPECT_EQ(part1().hidden("naive", to("naive_add", 1)),
            "count by hand first: the numbers are shown once questions 3 and 4 of worksheet.hpp "
            "are right (./lab worksheet part1)");
  EXPECT_NE(part1().hidden("naive", to("naive_loads", 1)), "");
  EXPECT_EQ(part1().hidden("naive"), "");
}

TEST(HiddenCounts, OfAnUnchangedMineAsWell) {
  EXPECT_NE(part1().hidden("mine", to("naive_add", 1)), "");
  EXPECT_EQ(part1().hidden("mine_third_law", to("naive_add", 1)), "");
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
