#include <algorithm>
#include <set>

#include "paper_machine.hpp"
#include "worksheet/test_questions.hpp"

namespace nbody {
namespace {

// What was counted on a GPU (data/results/part3_counts); lab worksheet takes it where there is
// none.
std::optional<TrueCounts> stored(const std::string& name, const std::string& function) {
  return TrueCounts::read(PART3_COUNTS "/" + name + "_count.json", function);
}

std::optional<TrueCounts> counts_of(const std::string& name, const std::string& function) {
  if (name == "mine") return stored("naive", function);
  return stored(name == "mine_tiles" ? "tiles" : name, function);
}

void answer_paper(Answers& a) {
  const PaperDevice paper = paper_device_of("Ada Lovelace");
  const double peak = 2 * paper.multiprocessors * paper.float_units * paper.clock / 1000;
  const double few = 4 * (paper.copy_start_us + 40 * 1000 / (paper.bus * 1e3));
  const double many = 4 * (paper.copy_start_us + 40 * 100000 / (paper.bus * 1e3));
  add(a, {{"peak", peak},
          {"smallest_n_of_64", (paper.multiprocessors - 1) * 64 + 1},
          {"smallest_n_of_1024", (paper.multiprocessors - 1) * 1024 + 1},
          {"few_copies_percent", 100 * few / (few + paper.kernels_few_us)},
          {"few_gain", 1 + few / paper.kernels_few_us},
          {"many_copies_percent", 100 * many / (many + 1000 * paper.kernels_many_ms)},
          {"many_gain", 1 + many / (1000 * paper.kernels_many_ms)},
          {"busy_percent", 200.0 / paper.multiprocessors},
          {"threads_a_body", (2 * paper.multiprocessors + 31) / 32},
          {"steps_by_launches", 1e6 / (2 * paper.launch_us)},
          {"third_law_bound", 1000 * peak / 17.8},
          {"ridge", 1000 * peak / paper.bandwidth}});
}

void answer_counts(Answers& a, double n) {
  add(a, {{"fixed_step_to_gpu", 80 * n},
          {"fixed_step_from_gpu", 80 * n},
          {"adaptive_step_to_gpu", 120 * n},
          {"adaptive_step_from_gpu", 80 * n + 4},
          {"copies", 4},
          {"naive_add", 9 * n * n},
          {"naive_mul", 10 * n * n},
          {"naive_div", n * n},
          {"naive_sqrt", n * n},
          {"naive_global_loads", 7 * n * n},
          {"naive_global_stores", 3 * n},
          {"naive_shared_loads", 0},
          {"naive_shared_stores", 0},
          {"time_step_global_loads", 6 * n * n},
          {"time_step_global_stores", n},
          {"time_step_shared_loads", 511},
          {"time_step_shared_stores", 511},
          {"tile_global_loads", n * n / 64},
          {"tile_shared_stores", n * n / 64},
          {"tile_shared_loads", 4 * n * n},
          {"times_loaded", n / 256},
          {"mine_flops", 20 * n * n},
          {"mine_global_loads", n * n / 64 + 4 * n},
          {"mine_global_stores", 4 * n},
          {"mine_shared_loads", 4 * n * n},
          {"mine_shared_stores", n * n / 64}});
}

void answer(Answers& a, double n) {
  a.texts = {{"authors", "Ada Lovelace"}, {"mine", "mine_tiles"}};
  add(a, {{"blocks_of_128", 8},
          {"idle_threads", 24},
          {"resident_blocks", 3},
          {"blocks_of_several", 2},
          {"third_law_gain", 1.5},
          {"intensity", 750},
          {"intensity_as_written", 0.75},
          {"tile_intensity", 1.25},
          {"tile_intensity_delivered", 40},
          {"most_percent", 75},
          {"most_percent_of_third_law", 112},
          {"several_pay_from", 100000},
          {"empty_kernel_here", 3},
          {"few_here", 500},
          {"many_here", 3000},
          {"peak_here", 66.9},
          {"reached_percent", 90}});
  answer_paper(a);
  answer_counts(a, n);
}

PartUnderTest part3(const NotebookRows& notebook = ideas(6)) {
  return {questions_of_part(), counts_of, notebook, answer};
}

TEST(Part3, RightAnswersAreAllRight) { part3().expect_all_right(); }

TEST(Part3, AnEmptySheetHasNothingRightAndNothingWrong) {
  part3().expect_nothing_judged_on_an_empty_sheet();
}

TEST(Part3, ChoicesHaveOneRightLetter) { part3().expect_one_right_letter_each(); }

// The answers are 500 and 3000.
TEST(Part3, SpeedsAreComparedWithTheNotebook) {
  const PartUnderTest part = part3({{1, "mine_tiles", 1000, 0, 1, 1, 480e9},
                                    {2, "mine_tiles", 100000, 0, 1, 1, 2e12},
                                    {3, "mine", 100000, 0, 1, 1, 3e12}});
  EXPECT_EQ(part.words_about("1000 bodies, 10^9 interactions/s"), "");
  EXPECT_EQ(part.words_about("100 000 bodies, 10^9 interactions/s"),
            "2000 in the notebook (row 2)");
}

TEST(Part3, TheNotebookWantsRows) {
  EXPECT_EQ(part3(ideas(5)).judged().back().state, State::unanswered);
}

// Without a GPU one's own version is not counted: it is neither right nor wrong, and says so.
TEST(Part3, WhatWasNotCountedWaits) {
  PartUnderTest no_gpu = part3();
  no_gpu.counts_of = [](const std::string& name, const std::string& function) {
    return name == "naive" ? stored("naive", function) : std::nullopt;
  };
  int waiting = 0;
  for (const Line& line : no_gpu.judged()) {
    const bool counted = line.number != "18";
    EXPECT_EQ(line.state == State::waiting, !counted) << line.number << " " << line.question;
    if (counted) continue;
    EXPECT_EQ(line.words, "not counted; ./lab count says why");
    ++waiting;
  }
  EXPECT_EQ(waiting, 5);
}

TEST(Part3, ASlipCostsOnce) {
  part3().expect_slips({
      {"fma as one, the ridge follows", all({times("peak", 0.5), times("ridge", 0.5)}), {"1"}},
      {"blocks rounded down", to("blocks_of_128", 7), {"2"}},
      {"threads that work", to("idle_threads", 104), {"2"}},
      {"all blocks full", [](Answers& a) { a.numbers["smallest_n_of_64"] += 63; }, {"2"}},
      {"one too few", [](Answers& a) { a.numbers["smallest_n_of_1024"] -= 1; }, {"2"}},
      {"registers forgotten", to("resident_blocks", 8), {"2"}},
      {"bytes as numbers", times("adaptive_step_to_gpu", 0.25), {"4"}},
      {"copies as bytes, the shares follow from them", to("copies", 2), {"4", "5"}},
      {"a share as a part of one", times("few_copies_percent", 0.01), {"5"}},
      {"a gain in percent",
       [](Answers& a) { a.numbers["many_gain"] = a.numbers["many_copies_percent"]; },
       {"5"}},
      {"fewer bytes, shares that do not follow",
       all({times("fixed_step_to_gpu", 0.5), times("fixed_step_from_gpu", 0.5)}),
       {"4", "5"}},
      {"softening's product forgotten, the intensities follow",
       all({times("naive_mul", 0.9), times("intensity", 20.0 / 21),
            times("intensity_as_written", 20.0 / 21)}),
       {"6"}},
      {"body i as a register, the intensity follows",
       all({times("naive_global_loads", 4.0 / 7), times("intensity_as_written", 7.0 / 4)}),
       {"8"}},
      {"loads as shared ones", to("naive_shared_loads", 4), {"8"}},
      {"smallest forgotten",
       all({to("time_step_shared_loads", 0), to("time_step_shared_stores", 0)}),
       {"8"}},
      {"body i as a register there", times("time_step_global_loads", 0.5), {"8"}},
      {"each thread loads its own", times("tile_global_loads", 256), {"10"}},
      {"bodies, not numbers", times("tile_shared_stores", 0.25), {"10"}},
      {"once a block", times("tile_shared_loads", 1.0 / 256), {"10"}},
      {"once", to("times_loaded", 1), {"10"}},
  });
}

TEST(Part3, ASlipCostsOnceInTheSecondHalf) {
  part3().expect_slips({
      {"threads as bodies", to("blocks_of_several", 16), {"12"}},
      {"a share of one", times("busy_percent", 0.01), {"12"}},
      {"one block each", [](Answers& a) { a.numbers["threads_a_body"] -= 1; }, {"13"}},
      {"one kernel a step", times("steps_by_launches", 2), {"13"}},
      {"third law: 2", to("third_law_gain", 2), {"14"}},
      {"a pair as one", times("third_law_bound", 0.5), {"14"}},
      {"bytes of whole bodies", times("intensity", 0.7), {"15"}},
      {"numbers as bytes", times("intensity_as_written", 4), {"15"}},
      {"ridge turned round",
       [](Answers& a) { a.numbers["ridge"] = 1 / a.numbers["ridge"]; },
       {"15"}},
      {"numbers as bytes in tiles", to("tile_intensity", 5), {"15"}},
      {"no warp", to("tile_intensity_delivered", 1.25), {"15"}},
      {"all of it", to("most_percent", 100), {"17"}},
      {"never above", to("most_percent_of_third_law", 100), {"17"}},
      {"mine counted as naive", times("mine_flops", 1.05), {"18"}},
      {"mine: no tiles", times("mine_global_loads", 256), {"18"}},
      {"mine: no shared memory",
       all({to("mine_shared_loads", 0), to("mine_shared_stores", 0)}),
       {"18"}},
      {"share of the wrong number", to("reached_percent", 30), {"19"}},
  });
}

// The difference of a count of bytes is not told.
TEST(Part3, BytesAreNotToldByHowMuch) {
  const PartUnderTest part = part3();
  const Given wrong = part.given(times("fixed_step_to_gpu", 1.1));
  const Lines lines = judged_sheet(part.part, wrong, Disclosure::by_how_much).lines;
  const auto line = std::find_if(lines.begin(), lines.end(),
                                 [](const Line& one) { return one.state == State::wrong; });
  ASSERT_NE(line, lines.end());
  EXPECT_EQ(line->question + ": " + line->words, "fixed step, bytes to the GPU: too many");
}

// The formulas of question 10 against what the tiles of the reference really do.
TEST(Part3, FormulasOfTilesAreWhatWasCounted) {
  const auto counts = stored("tiles", forces);
  if (!counts) GTEST_SKIP() << "no counts of tiles";
  const double n = 4096;
  // Terms in n: a thread's own body, and i = j, which a thread passes over.
  EXPECT_EQ(counts->at("loads", n), n * n / 64 + 4 * n);
  EXPECT_EQ(counts->at("shared_stores", n), n * n / 64);
  EXPECT_EQ(counts->at("shared_loads", n), 4 * n * n - 4 * n);
}

TEST(HiddenCountsOfPart3, OfNaiveUntilQuestions6And8AreRight) {
  for (const Change& wrong : {to("naive_add", 1), to("time_step_global_loads", 1)}) {
    EXPECT_EQ(part3().hidden("naive", wrong),
              "count by hand first: the numbers are shown once questions 6 and 8 of worksheet.hpp "
              "are right (./lab worksheet part3)");
    EXPECT_NE(part3().hidden("mine", wrong), "");
    EXPECT_EQ(part3().hidden("mine_tiles", wrong), "");
  }
  EXPECT_EQ(part3().hidden("naive"), "");
}

// Most versions keep the time step of naive, whose counts are an answer.
TEST(HiddenCountsOfPart3, OfOtherForcesWithTheTimeStepOfNaive) {
  PartUnderTest kept = part3();
  kept.counts_of = [](const std::string& name, const std::string& function) {
    return function == forces ? counts_of(name, function) : stored("naive", function);
  };
  EXPECT_NE(kept.hidden("mine_tiles", to("naive_add", 1)), "");
  EXPECT_EQ(kept.hidden("mine_tiles"), "");
}

TEST(PaperDevice, DiffersBetweenNames) {
  std::set<double> peaks, ridges, starts;
  for (char c = 'a'; c <= 'z'; ++c) {
    const PaperDevice paper = paper_device_of(std::string("Student ") + c);
    peaks.insert(peak_of(paper));
    ridges.insert(peak_of(paper) / paper.bandwidth);
    starts.insert(copy_seconds(paper, 1, 0));
    EXPECT_GE(paper.multiprocessors, 40);
    EXPECT_LE(paper.multiprocessors, 140);
    EXPECT_GE(paper.bus, 8);
    EXPECT_GE(paper.launch_us, 2);
  }
  EXPECT_GT(peaks.size(), 20u);
  EXPECT_GT(ridges.size(), 20u);
  EXPECT_GT(starts.size(), 7u);
  EXPECT_EQ(paper_device_of("ada lovelace").clock, paper_device_of("Ada Lovelace").clock);
}

}  // namespace
}  // namespace nbody
