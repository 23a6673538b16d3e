#include "bench/timing.hpp"

#include <gtest/gtest.h>

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

TEST(Timing, MeasuresAndChecksTheSameRun) {
  const auto timings = time_interleaved({{"naive", NAIVE_PROGRAM}}, short_plan());
  ASSERT_EQ(timings.size(), 1u);
  EXPECT_EQ(timings[0].fault, "");
  EXPECT_GT(timings[0].interactions_per_second.median, 0);
  EXPECT_LE(timings[0].error, 1e-5);
  EXPECT_GT(timings[0].error, 0);
}

TEST(Timing, KeepsTheRounds) {
  const Timing timing = time_interleaved({{"naive", NAIVE_PROGRAM}}, short_plan()).front();
  ASSERT_EQ(timing.rounds.size(), 3u);
  std::vector<double> measured;
  for (const double seconds : timing.rounds) {
    if (seconds > 0) measured.push_back(seconds);
  }
  EXPECT_EQ(statistics_of(measured).median, timing.seconds_per_step.median);
  EXPECT_LT(statistics_of(measured).median, 0.5);  // 40 000 interactions
}

TEST(Timing, NoticesThatWhatWasTimedIsWrong) {
  const auto timings = time_interleaved({{"weak", WEAK_PROGRAM}}, short_plan());
  EXPECT_NEAR(timings[0].error, 0.1, 0.05);
}

TEST(Timing, AProgramThatDiesHasNoNumbersAndHarmsNoOther) {
  const auto timings =
      time_interleaved({{"crash", CRASHING_PROGRAM}, {"naive", NAIVE_PROGRAM}}, short_plan());
  EXPECT_NE(timings[0].fault.find("signal"), std::string::npos) << timings[0].fault;
  EXPECT_EQ(timings[1].fault, "");
}

}  // namespace
}  // namespace nbody
