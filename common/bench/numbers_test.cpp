// What bench makes of seconds and cores.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "bench/core_use.hpp"
#include "bench/step_time.hpp"

namespace nbody::bench {
namespace {

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

// One second of a program; `ran` and `waited` are sums over its threads.
struct Used {
  const char* what;
  CoreUse use;
  unsigned workers;
  bool lacked;
};

TEST(CoreUse, IsTooLittleWhereOthersHaveTheRest) {
  const auto all = static_cast<unsigned>(cores_here());
  const double half = 0.5 * all;
  const Used rows[] = {
      {"a quiet machine", {1, 1, 0, 0, 0, 0}, 1, false},
      {"a little noise", {1, 0.99, 0, 0.05, 0.1, 0}, 1, false},
      {"nothing was timed", {}, 1, false},
      {"its serial part is its own doing", {1, 0.6, 0, 0, 0, 0}, 1, false},
      {"so is that of two threads", {1, 1.1, 0, 0, 0.1, 0}, std::min(2U, all), false},
      {"a thread waited for a core", {1, 0.5, 0, 0.5, 1, 0}, 1, true},
      {"it waited a little", {1, 0.9, 0, 0.3, 0.5, 0}, 1, true},
      {"a serial program, which may have more threads", {1, 1, 0, 0, 1, 0}, all, false},
      {"threads that ended say nothing about waiting", {1, half, half, 0, half, 0}, all, true},
      {"the host took the core", {1, 0.8, 0, 0, 0, 0.2}, 1, true},
      {"its own threads took them from each other", {1, 2, 0, 3, 0, 0}, 1, false},
  };
  for (const Used& row : rows) {
    EXPECT_EQ(had_too_few_cores(row.use, row.workers), row.lacked) << row.what;
  }
  EXPECT_TRUE(had_more_cores({1, 2, 0, 0, 0, 0}, 1));
  EXPECT_FALSE(had_more_cores({1, 2, 0, 0, 0, 0}, 2));
}

TEST(CoreUse, IsWaitedForAtMostSoLong) {
  double left = 0;
  EXPECT_FALSE(wait_for_cores(1, left));
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace nbody::bench
