#include "bench/step_time.hpp"

#include <gtest/gtest.h>

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
}

TEST(StepTime, OfOneStepBeginsWithNone) {
  const StepTime time = step_time({{{0, 1.0}, {1, 2.0}, {2, 3.0}}});
  EXPECT_NEAR(time.seconds, 1, 1e-12);
  EXPECT_NEAR(time.start, 0, 1e-12);
}

TEST(StepTime, ABentOrFallingLineIsDisturbed) {
  EXPECT_TRUE(disturbed(step_time({{{10, 0.01}, {20, 0.04}, {30, 0.03}}})));   // the middle one was
  EXPECT_TRUE(disturbed(step_time({{{10, 0.05}, {20, 0.03}, {30, 0.02}}})));   // falls
  EXPECT_TRUE(disturbed(step_time({{{10, 0.03}, {20, 0.035}, {30, 0.04}}})));  // starts too slowly
  EXPECT_FALSE(disturbed(step_time({{{10, 0.011}, {20, 0.022}, {30, 0.03}}})));
}

TEST(StepTime, ShortRequestsThatSleepGainLittle) {
  // 10 ms a step; the short ones sleep, so that the slope says 5 ms.
  const std::array<TimedSteps, 3> requests = {{{10, 0.21}, {20, 0.26}, {30, 0.31}}};
  const StepTime time = step_time(requests);
  EXPECT_NEAR(time.seconds, 5e-3, 1e-9);
  EXPECT_NEAR(step_seconds(time, requests[2]), 0.88 * 0.01, 1e-9);
  // An honest line is not touched.
  EXPECT_DOUBLE_EQ(step_seconds(step_time({{{10, 0.111}, {20, 0.211}, {30, 0.311}}}), {30, 0.311}),
                   step_time({{{10, 0.111}, {20, 0.211}, {30, 0.311}}}).seconds);
}

}  // namespace
}  // namespace nbody::bench
