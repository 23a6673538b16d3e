#include "bench/timing.hpp"

#include <gtest/gtest.h>

#include "bench/runner.hpp"
#include "bodies/scenes.hpp"

namespace nbody {
namespace {

TimingPlan short_plan() {
  TimingPlan plan;
  plan.scene = make_scene("plummer", 200, 1);
  plan.rounds = 3;
  plan.seconds = 0.01;
  return plan;
}

// So short a plan can fail on a machine that does other things: then once more.
std::vector<Timing> time_shortly(const std::vector<TimedProgram>& programs) {
  std::vector<Timing> timings;
  for (int attempt = 0; attempt < 20; ++attempt) {
    timings = time_interleaved(programs, short_plan());
    if (timings.back().fault.find("too busy") == std::string::npos) break;
  }
  return timings;
}

TEST(StepSeconds, MustFitTheTimeOfAllSteps) {
  EXPECT_NEAR(step_seconds(0.05, 0.1, 10), 0.005, 1e-12);
  EXPECT_NEAR(step_seconds(0.055, 0.105, 10), 0.005, 1e-12);
  EXPECT_EQ(step_seconds(0.095, 0.1, 10), 0);  // t(K) was disturbed: ten times too fast
  EXPECT_EQ(step_seconds(0.05, 0.3, 10), 0);   // t(2K) was
  EXPECT_EQ(step_seconds(0.2, 0.1, 10), 0);
  EXPECT_EQ(step_seconds(0, 0, 10), 0);
  // One step of many bodies, and their accelerations once more.
  EXPECT_NEAR(step_seconds(2, 3, 1), 1, 1e-12);
}

TEST(Timing, MeasuresAndChecksTheSameRun) {
  const auto timings = time_shortly({{"naive", NAIVE_PROGRAM}});
  ASSERT_EQ(timings.size(), 1u);
  EXPECT_EQ(timings[0].fault, "");
  EXPECT_GT(timings[0].interactions_per_second.median, 0);
  EXPECT_LE(timings[0].error, 1e-5);
  EXPECT_GT(timings[0].error, 0);
}

TEST(Timing, KeepsTheRounds) {
  const Timing timing = time_shortly({{"naive", NAIVE_PROGRAM}}).front();
  ASSERT_EQ(timing.rounds.size(), 3u);
  std::vector<double> measured;
  for (const double seconds : timing.rounds) {
    if (seconds > 0) measured.push_back(seconds);
  }
  EXPECT_EQ(statistics_of(measured).median, timing.seconds_per_step.median);
  EXPECT_LT(statistics_of(measured).median, 0.5);  // 40 000 interactions
}

TEST(Timing, NoticesThatWhatWasTimedIsWrong) {
  const auto timings = time_shortly({{"weak", WRONG_PROGRAM, {"--mistake", "weak"}}});
  EXPECT_NEAR(timings[0].error, 0.1, 0.05);
}

TEST(Timing, AProgramThatDiesHasNoNumbersAndHarmsNoOther) {
  const auto timings = time_shortly({{"crash", CRASHING_PROGRAM}, {"naive", NAIVE_PROGRAM}});
  EXPECT_NE(timings[0].fault.find("signal"), std::string::npos) << timings[0].fault;
  EXPECT_EQ(timings[1].fault, "");
}

}  // namespace
}  // namespace nbody
