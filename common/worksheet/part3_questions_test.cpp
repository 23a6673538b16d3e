#include "worksheet/part3_questions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "worksheet/paper_device.hpp"

namespace nbody {
namespace {

// What was counted on a GPU (data/results/part3_counts); lab worksheet takes it where there is
// none.
std::optional<TrueCounts> stored(const std::string& name, const std::string& function) {
  return TrueCounts::read(PART3_COUNTS "/" + name + "_count.json", function);
}

WorksheetTruth truth() {
  WorksheetTruth truth;
  truth.counts_of = [](const std::string& name) {
    return stored(name == "mine"         ? "naive"
                  : name == "mine_tiles" ? "tiles"
                                         : name,
                  "compute_accelerations");
  };
  truth.time_step_counts_of = [](const std::string& name) {
    return stored(name == "mine"         ? "naive"
                  : name == "mine_tiles" ? "tiles"
                                         : name,
                  "largest_time_step");
  };
  truth.notebook_rows = 6;
  return truth;
}

void answer_paper(Part3Answers& a) {
  const PaperDevice paper = paper_device_of(a.authors);
  a.peak = 2 * paper.multiprocessors * paper.float_units * paper.clock / 1000;
  a.smallest_n_of_64 = (paper.multiprocessors - 1) * 64 + 1;
  a.smallest_n_of_1024 = (paper.multiprocessors - 1) * 1024 + 1;
  const double few = 4 * (paper.copy_start_us + 40 * 1000 / (paper.bus * 1e3));
  a.few.percent = 100 * few / (few + paper.kernels_few_us);
  a.few.gain = 1 + few / paper.kernels_few_us;
  const double many = 4 * (paper.copy_start_us + 40 * 100000 / (paper.bus * 1e3));
  a.many.percent = 100 * many / (many + 1000 * paper.kernels_many_ms);
  a.many.gain = 1 + many / (1000 * paper.kernels_many_ms);
  a.busy_percent = 200.0 / paper.multiprocessors;
  a.threads_a_body = (2 * paper.multiprocessors + 31) / 32;
  a.steps_by_launches = 1e6 / (2 * paper.launch_us);
  a.third_law_bound = 2 * paper.multiprocessors * paper.float_units * paper.clock / 17.8;
  a.ridge = 1000 * a.peak / paper.bandwidth;
}

void answer_choices(Part3Answers& a) {
  a.error_told_by = 'c';
  a.clock_shows = 'b';
  a.instructions_gone = 'b';
  a.why_no_coalescing = 'a';
  a.first_barrier = 'd';
  a.second_barrier = 'a';
  a.early_return = 'c';
  a.why_no_atomics = 'b';
  a.limit_of_few = 'c';
  a.limit_of_many = 'b';
  a.why_above_the_peak = 'a';
}

void answer_measured(Part3Answers& a) {
  a.several_pay_from = 100000;
  a.empty_kernel_here = 3;
  a.few_here = 500;
  a.many_here = 3000;
  a.peak_here = 66.9;
  a.reached_percent = 90;
}

void answer_counts(Part3Answers& a, double n) {
  a.fixed_step = {80 * n, 80 * n};
  a.adaptive_step = {120 * n, 80 * n + 4};
  a.copies = 4;
  a.naive = {9 * n * n, 10 * n * n, n * n, n * n, unanswered};
  a.naive_global = {7 * n * n, 3 * n};
  a.naive_shared = {0, 0};
  a.time_step_global = {6 * n * n, n};
  a.time_step_shared = {511, 511};
  a.tile_global_loads = a.tile_shared_stores = n * n / 64;
  a.tile_shared_loads = 4 * n * n;
  a.times_loaded = n / 256;
  a.mine_flops = 20 * n * n;
  a.mine_global = {n * n / 64 + 4 * n, 4 * n};
  a.mine_shared = {4 * n * n, n * n / 64};
}

Part3Answers right_answers(double n) {
  Part3Answers a;
  a.authors = "Ada Lovelace";
  a.mine = "mine_tiles";
  a.blocks_of_128 = 8;
  a.idle_threads = 24;
  a.resident_blocks = 3;
  a.blocks_of_several = 2;
  a.third_law_gain = 1.5;
  a.intensity = 750;
  a.intensity_as_written = 0.75;
  a.tile_intensity = 1.25;
  a.tile_intensity_delivered = 40;
  a.most_percent = 75;
  a.most_percent_of_third_law = 112;
  answer_paper(a);
  answer_choices(a);
  answer_measured(a);
  answer_counts(a, n);
  return a;
}

Lines judged(const std::function<void(Part3Answers&)>& change) {
  return judge_part3(
      [change](double n) {
        Part3Answers a = right_answers(n);
        change(a);
        return a;
      },
      truth());
}

TEST(Part3, RightAnswersAreAllRight) {
  for (const Line& line : judge_part3(right_answers, truth())) {
    EXPECT_TRUE(line.state == State::right || line.state == State::noted)
        << line.number << " " << line.question << ": " << line.answer << " " << line.words;
  }
}

TEST(Part3, AnEmptySheetHasNothingRightAndNothingWrong) {
  for (const Line& line : judge_part3([](double) { return Part3Answers(); }, truth())) {
    if (line.number == "20") continue;  // the notebook's
    EXPECT_EQ(line.state, State::unanswered) << line.number << " " << line.question;
  }
}

TEST(Part3, TheNotebookWantsRows) {
  WorksheetTruth few = truth();
  few.notebook_rows = 5;
  EXPECT_EQ(judge_part3(right_answers, few).back().state, State::unanswered);
}

// Without a GPU one's own version is not counted: it is neither right nor wrong, and says so.
TEST(Part3, WhatWasNotCountedWaits) {
  WorksheetTruth no_gpu = truth();
  no_gpu.counts_of = [](const std::string& name) {
    return name == "naive" ? stored("naive", "compute_accelerations") : std::nullopt;
  };
  int waiting = 0;
  for (const Line& line : judge_part3(right_answers, no_gpu)) {
    const bool counted = line.number != "18";
    EXPECT_EQ(line.state == State::waiting, !counted) << line.number << " " << line.question;
    if (counted) continue;
    EXPECT_EQ(line.words, "not counted; ./lab count says why");
    ++waiting;
  }
  EXPECT_EQ(waiting, 5);
}

// One change, and the numbers of the lines it makes wrong.
struct Slip {
  const char* what;
  void (*make)(Part3Answers&);
  std::vector<std::string> wrong;
};

void expect_wrong(const std::vector<Slip>& slips) {
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

TEST(Part3, ASlipCostsOnce) {
  expect_wrong({
      {"fma as one, the ridge follows",
       [](Part3Answers& a) {
         a.peak /= 2;
         a.ridge /= 2;
       },
       {"1"}},
      {"blocks rounded down", [](Part3Answers& a) { a.blocks_of_128 = 7; }, {"2"}},
      {"threads that work", [](Part3Answers& a) { a.idle_threads = 104; }, {"2"}},
      {"all blocks full", [](Part3Answers& a) { a.smallest_n_of_64 += 63; }, {"2"}},
      {"one too few", [](Part3Answers& a) { a.smallest_n_of_1024 -= 1; }, {"2"}},
      {"registers forgotten", [](Part3Answers& a) { a.resident_blocks = 8; }, {"2"}},
      {"bytes as numbers", [](Part3Answers& a) { a.adaptive_step.to_gpu /= 4; }, {"4"}},
      {"copies as bytes, the shares follow from them",
       [](Part3Answers& a) { a.copies = 2; },
       {"4", "5"}},
      {"a share as a part of one", [](Part3Answers& a) { a.few.percent /= 100; }, {"5"}},
      {"a gain in percent", [](Part3Answers& a) { a.many.gain = a.many.percent; }, {"5"}},
      {"fewer bytes, shares that do not follow",
       [](Part3Answers& a) {
         a.fixed_step = {a.fixed_step.to_gpu / 2, a.fixed_step.from_gpu / 2};
       },
       {"4", "5"}},
      {"softening's product forgotten, the intensities follow",
       [](Part3Answers& a) {
         a.naive.mul *= 0.9;
         a.intensity *= 20.0 / 21;
         a.intensity_as_written *= 20.0 / 21;
       },
       {"6"}},
      {"body i as a register, the intensity follows",
       [](Part3Answers& a) {
         a.naive_global.loads *= 4.0 / 7;
         a.intensity_as_written *= 7.0 / 4;
       },
       {"8"}},
      {"loads as shared ones", [](Part3Answers& a) { a.naive_shared.loads = 4; }, {"8"}},
      {"smallest forgotten",
       [](Part3Answers& a) {
         a.time_step_shared = {0, 0};
       },
       {"8"}},
      {"body i as a register there", [](Part3Answers& a) { a.time_step_global.loads /= 2; }, {"8"}},
      {"each thread loads its own", [](Part3Answers& a) { a.tile_global_loads *= 256; }, {"10"}},
      {"bodies, not numbers", [](Part3Answers& a) { a.tile_shared_stores /= 4; }, {"10"}},
      {"once a block", [](Part3Answers& a) { a.tile_shared_loads /= 256; }, {"10"}},
      {"once", [](Part3Answers& a) { a.times_loaded = 1; }, {"10"}},
  });
}

TEST(Part3, ASlipCostsOnceInTheSecondHalf) {
  expect_wrong({
      {"threads as bodies", [](Part3Answers& a) { a.blocks_of_several = 16; }, {"12"}},
      {"a share of one", [](Part3Answers& a) { a.busy_percent /= 100; }, {"12"}},
      {"one block each", [](Part3Answers& a) { a.threads_a_body -= 1; }, {"13"}},
      {"one kernel a step", [](Part3Answers& a) { a.steps_by_launches *= 2; }, {"13"}},
      {"third law: 2", [](Part3Answers& a) { a.third_law_gain = 2; }, {"14"}},
      {"a pair as one", [](Part3Answers& a) { a.third_law_bound /= 2; }, {"14"}},
      {"bytes of whole bodies", [](Part3Answers& a) { a.intensity *= 0.7; }, {"15"}},
      {"numbers as bytes", [](Part3Answers& a) { a.intensity_as_written *= 4; }, {"15"}},
      {"ridge turned round", [](Part3Answers& a) { a.ridge = 1 / a.ridge; }, {"15"}},
      {"numbers as bytes in tiles", [](Part3Answers& a) { a.tile_intensity = 5; }, {"15"}},
      {"no warp", [](Part3Answers& a) { a.tile_intensity_delivered = 1.25; }, {"15"}},
      {"all of it", [](Part3Answers& a) { a.most_percent = 100; }, {"17"}},
      {"never above", [](Part3Answers& a) { a.most_percent_of_third_law = 100; }, {"17"}},
      {"mine counted as naive", [](Part3Answers& a) { a.mine_flops *= 1.05; }, {"18"}},
      {"mine: no tiles", [](Part3Answers& a) { a.mine_global.loads *= 256; }, {"18"}},
      {"mine: no shared memory",
       [](Part3Answers& a) {
         a.mine_shared = {0, 0};
       },
       {"18"}},
      {"share of the wrong number", [](Part3Answers& a) { a.reached_percent = 30; }, {"19"}},
  });
}

// Every letter but the right one is wrong, in all of them.
TEST(Part3, ChoicesHaveOneRightLetter) {
  const std::vector<char Part3Answers::*> choices = {
      &Part3Answers::error_told_by,     &Part3Answers::clock_shows,
      &Part3Answers::instructions_gone, &Part3Answers::why_no_coalescing,
      &Part3Answers::first_barrier,     &Part3Answers::second_barrier,
      &Part3Answers::early_return,      &Part3Answers::why_no_atomics,
      &Part3Answers::limit_of_few,      &Part3Answers::limit_of_many,
      &Part3Answers::why_above_the_peak};
  for (std::size_t k = 0; k < choices.size(); ++k) {
    int right = 0;
    for (const char letter : {'a', 'b', 'c', 'd'}) {
      const Lines lines = judged([&](Part3Answers& a) { a.*choices[k] = letter; });
      const auto wrong = std::count_if(lines.begin(), lines.end(),
                                       [](const Line& line) { return line.state == State::wrong; });
      if (wrong == 0) ++right;
    }
    EXPECT_EQ(right, 1) << "choice " << k;
  }
}

// The formulas of question 10 against what the tiles of the reference really do.
TEST(Part3, FormulasOfTilesAreWhatWasCounted) {
  const auto counts = stored("tiles", "compute_accelerations");
  if (!counts) GTEST_SKIP() << "no counts of tiles";
  const double n = 4096;
  // Terms in n: a thread's own body, and i = j, which a thread passes over.
  EXPECT_EQ(counts->at("loads", n), n * n / 64 + 4 * n);
  EXPECT_EQ(counts->at("shared_stores", n), n * n / 64);
  EXPECT_EQ(counts->at("shared_loads", n), 4 * n * n - 4 * n);
}

TEST(HiddenCountsOfPart3, OfNaiveUntilQuestions6And8AreRight) {
  const Lines wrong = judged([](Part3Answers& a) { a.naive.add = 1; });
  const Lines wrong_loads = judged([](Part3Answers& a) { a.time_step_global.loads = 1; });
  const Lines right = judge_part3(right_answers, truth());
  for (const Lines& lines : {wrong, wrong_loads}) {
    EXPECT_NE(reason_to_hide_counts_of_part3("naive", lines, truth()), "");
    EXPECT_NE(reason_to_hide_counts_of_part3("mine", lines, truth()), "");
    EXPECT_EQ(reason_to_hide_counts_of_part3("mine_tiles", lines, truth()), "");
  }
  EXPECT_EQ(reason_to_hide_counts_of_part3("naive", right, truth()), "");
}

// Most versions keep the time step of naive, whose counts are an answer.
TEST(HiddenCountsOfPart3, OfOtherForcesWithTheTimeStepOfNaive) {
  WorksheetTruth kept = truth();
  kept.time_step_counts_of = [](const std::string&) {
    return stored("naive", "largest_time_step");
  };
  const Lines wrong = judged([](Part3Answers& a) { a.naive.add = 1; });
  EXPECT_NE(reason_to_hide_counts_of_part3("mine_tiles", wrong, kept), "");
  EXPECT_EQ(reason_to_hide_counts_of_part3("mine_tiles", judge_part3(right_answers, kept), kept),
            "");
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
