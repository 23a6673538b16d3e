// What bench makes of seconds and cores.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "bench/core_use.hpp"
#include "bench/statistics.hpp"
#include "bench/step_time.hpp"

namespace nbody::bench {
namespace {

TEST(Statistics, SpreadIsTheMiddleHalfRelativeToTheMedian) {
  const std::tuple<std::vector<double>, double, double> rows[] = {// median and spread
                                                                  {{3, 1, 2}, 2, 0.5},
                                                                  {{4, 1, 2, 3}, 2.5, 0.6},
                                                                  {{8, 9, 10, 11, 100}, 10, 0.2},
                                                                  {{5}, 5, 0}};
  for (const auto& [values, median, spread] : rows) {
    const Statistics statistics = statistics_of(values);
    EXPECT_DOUBLE_EQ(statistics.median, median);
    EXPECT_DOUBLE_EQ(statistics.spread(), spread);
    EXPECT_DOUBLE_EQ(statistics.minimum, *std::min_element(values.begin(), values.end()));
    EXPECT_DOUBLE_EQ(statistics.maximum, *std::max_element(values.begin(), values.end()));
  }
}

TEST(Ratios, AreOfRoundsThatCountForBoth) {
  const std::vector<double> seconds = {1, 0, 2, 1}, other = {3, 3, 4, 0}, quiet;
  EXPECT_EQ(ratios_of_rounds({seconds, quiet}, {other, quiet}), (std::vector<double>{3, 2}));
}

// Another program came in the second round, after one of the two had been timed.
TEST(Ratios, LeaveOutRoundsInWhichTheNeighboursChanged) {
  const std::vector<double> seconds = {1, 1}, other = {3, 9}, quiet = {0, 0}, disturbed = {0.2, 1};
  EXPECT_EQ(ratios_of_rounds({seconds, quiet}, {other, disturbed}), std::vector<double>{3});
}

TEST(StepTime, IsTheSlopeInAnyOrder) {
  // 2 ms to start, 1 ms a step, and the accelerations once more.
  const StepTime time = step_time({{{30, 0.033}, {10, 0.013}, {20, 0.023}}});
  EXPECT_NEAR(time.seconds, 1e-3, 1e-12);
  EXPECT_NEAR(time.start, 2e-3, 1e-12);
  EXPECT_NEAR(time.bend, 0, 1e-12);
  EXPECT_DOUBLE_EQ(time.longest, 0.033);
  EXPECT_FALSE(disturbed(time));
  EXPECT_DOUBLE_EQ(step_time({{{30, 0.03}, {10, 0.01}, {20, 0.04}}}).bend, 0.02);
}

using Requests = std::array<TimedSteps, 3>;

TEST(StepTime, OfOneStepBeginsWithNone) {
  const StepTime time = step_time({{{0, 1.0}, {1, 2.0}, {2, 3.0}}});
  EXPECT_NEAR(time.seconds, 1, 1e-12);
  EXPECT_NEAR(time.start, 0, 1e-12);
}

TEST(StepTime, ABentOrFallingLineIsDisturbed) {
  const std::pair<Requests, bool> lines[] = {
      {{{{10, 0.01}, {20, 0.04}, {30, 0.03}}}, true},   // the middle one was
      {{{{10, 0.05}, {20, 0.03}, {30, 0.02}}}, true},   // falls
      {{{{10, 0.03}, {20, 0.035}, {30, 0.04}}}, true},  // starts too slowly
      {{{{10, 0.011}, {20, 0.022}, {30, 0.03}}}, false}};
  for (const auto& [line, is_disturbed] : lines) {
    EXPECT_EQ(disturbed(step_time(line)), is_disturbed) << line[1].seconds;
  }
}

TEST(StepTime, ShortRequestsThatSleepGainLittle) {
  // 10 ms a step; the short ones sleep, so that the slope says 5 ms.
  const Requests requests = {{{10, 0.21}, {20, 0.26}, {30, 0.31}}};
  const StepTime time = step_time(requests);
  EXPECT_NEAR(time.seconds, 5e-3, 1e-9);
  EXPECT_NEAR(step_seconds(time, requests[2]), 0.88 * 0.01, 1e-9);
  // An honest line is not touched.
  const StepTime honest = step_time({{{10, 0.111}, {20, 0.211}, {30, 0.311}}});
  EXPECT_DOUBLE_EQ(step_seconds(honest, {30, 0.311}), honest.seconds);
}

double cores_here() { return static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN)); }

// One second of a program with this many threads; `ran` and `waited` are sums over them.
CoreUse use(double ran, double waited, double others, double stolen = 0) {
  return {1, ran, 0, waited, others, stolen};
}

CoreUse use_of_threads_that_ended(double ran, double others) { return {1, ran, ran, 0, others, 0}; }

TEST(CoreUse, OfAQuietMachineIsEnough) {
  EXPECT_FALSE(had_too_few_cores(use(1, 0, 0), 1));
  EXPECT_FALSE(had_too_few_cores(use(0.99, 0.05, 0.1), 1));
  EXPECT_FALSE(had_too_few_cores({}, 1));  // nothing was timed
}

// A serial part of two threads is the program's own doing.
TEST(CoreUse, ThatAProgramDoesNotWantIsNoLack) {
  EXPECT_FALSE(had_too_few_cores(use(0.6, 0, 0), 1));
  EXPECT_FALSE(cores_here() >= 2 && had_too_few_cores(use(1.1, 0, 0.1), 2));
}

TEST(CoreUse, IsTooLittleWhereThreadsWaitForACore) {
  EXPECT_TRUE(had_too_few_cores(use(0.5, 0.5, 1), 1));
  EXPECT_TRUE(had_too_few_cores(use(0.9, 0.3, 0.5), 1));
}

// With two threads it could use two cores; a serial program had all that it wanted.
TEST(CoreUse, IsJudgedByTheThreadsThatItHas) {
  EXPECT_FALSE(had_too_few_cores(use(1, 0, 1), static_cast<unsigned>(cores_here())));
}

// Threads that ended say nothing about what they waited; and a host may take the cores away.
TEST(CoreUse, IsTooLittleWhereOthersHaveTheRest) {
  const auto all = static_cast<unsigned>(cores_here());
  EXPECT_TRUE(had_too_few_cores(use_of_threads_that_ended(0.5 * all, 0.5 * all), all));
  EXPECT_TRUE(had_too_few_cores(use(0.8, 0, 0, 0.2), 1));
}

TEST(CoreUse, OfMoreThreadsThanWereAskedForIsTheProgramsOwnDoing) {
  EXPECT_TRUE(had_more_cores(use(2, 0, 0), 1));
  EXPECT_FALSE(had_more_cores(use(2, 0, 0), 2));
  EXPECT_FALSE(had_too_few_cores(use(2, 3, 0), 1));
}

TEST(CoreUse, InWords) {
  EXPECT_EQ(cores_in_words(use(0.5, 0, 1), 1, "thread"), "its thread had 0.5 of a core on average");
  const unsigned more = static_cast<unsigned>(cores_here()) + 1;
  EXPECT_NE(cores_in_words(use(1, 0, 1), more, "rank").find("share the machine's"),
            std::string::npos);
}

TEST(CoreUse, IsWaitedForAtMostSoLong) {
  double left = 0;
  EXPECT_FALSE(wait_for_cores(1, left));
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace nbody::bench
