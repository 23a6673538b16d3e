// What bench makes of seconds and cores.
#include <gtest/gtest.h>
#include <unistd.h>

#include "bench/core_use.hpp"
#include "bench/step_time.hpp"

namespace nbody::bench {
namespace {

struct Line {
  const char* what;
  std::array<TimedSteps, 3> requests;  // the longest comes last
  double slope, step;
  bool disturbed;
};

TEST(StepTime, IsTheSlopeOfALine) {
  const Line lines[] = {
      {"2 ms to start", {{{20, 0.023}, {10, 0.013}, {30, 0.033}}}, 1e-3, 1e-3, false},
      {"one step begins with none", {{{0, 1}, {1, 2}, {2, 3}}}, 1, 1, false},
      {"another program came", {{{10, 0.01}, {20, 0.04}, {30, 0.03}}}, 1e-3, 1e-3, true},
      {"falls", {{{10, 0.05}, {20, 0.03}, {30, 0.02}}}, -1.5e-3, 0.568e-3, true},
      {"starts slowly", {{{10, 0.03}, {20, 0.035}, {30, 0.04}}}, 0.5e-3, 1.135e-3, true},
      {"a little noise", {{{10, 0.011}, {20, 0.022}, {30, 0.03}}}, 0.95e-3, 0.95e-3, false},
      // 10 ms a step: what the short ones gain by sleeping is limited.
      {"short ones sleep", {{{10, 0.21}, {20, 0.26}, {30, 0.31}}}, 5e-3, 8.8e-3, true},
  };
  for (const Line& line : lines) {
    const StepTime time = step_time(line.requests);
    EXPECT_NEAR(time.seconds, line.slope, 1e-6) << line.what;
    EXPECT_NEAR(step_seconds(time, line.requests[2]), line.step, 2e-6) << line.what;
    EXPECT_EQ(disturbed(time), line.disturbed) << line.what;
  }
}

// One second of a program; `ran` and `waited` are sums over its threads.
struct Used {
  const char* what;
  CoreUse use;
  unsigned workers;
  bool lacked;
};

TEST(CoreUse, IsTooLittleWhereOthersHaveTheRest) {
  const auto all = static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_ONLN));
  const double half = 0.5 * all;
  const Used rows[] = {
      {"a little noise", {1, 0.99, 0, 0.05, 0.1, 0}, 1, false},
      {"nothing was timed", {}, 1, false},
      {"its serial part is its own doing", {1, 1.1, 0, 0, 0.1, 0}, std::min(2U, all), false},
      {"a thread waited for a core", {1, 0.9, 0, 0.3, 0.5, 0}, 1, true},
      {"a serial program, which may have more threads", {1, 1, 0, 0, 1, 0}, all, false},
      {"threads that ended say nothing about waiting", {1, half, half, 0, half, 0}, all, true},
      {"the host took the core", {1, 0.8, 0, 0, 0, 0.2}, 1, true},
      {"its own threads took them from each other", {1, 2, 0, 3, 0, 0}, 1, false},
  };
  for (const Used& row : rows) {
    EXPECT_EQ(had_too_few_cores(row.use, row.workers), row.lacked) << row.what;
  }
  EXPECT_TRUE(had_more_cores({1, 2, 0, 0, 0, 0}, 1) && !had_more_cores({1, 2, 0, 0, 0, 0}, 2));
  double left = 0;
  EXPECT_FALSE(wait_for_cores(1, left));
}

}  // namespace
}  // namespace nbody::bench
