// How timed answers are judged, and the scenes that are timed.
#include "bench/halves.hpp"

#include <gtest/gtest.h>

#include "bench/fresh_scene.hpp"
#include "check/tolerance.hpp"
#include "check/zoo/wrong/cheats.hpp"
#include "core/input_error.hpp"
#include "simulator/simulation.hpp"

namespace nbody::bench {
namespace {

HalvesVerdict verdict_on(const char* how, const std::string& name, std::size_t n,
                         std::uint64_t steps, bool adaptive, std::uint64_t seed) {
  trick = how;
  const Scene scene = fresh_scene(name, n, seed);
  Request request;
  request.bodies = scene.bodies;
  request.setting = scene.setting;
  request.setting.dt =
      2 * time_to_follow(scene) / static_cast<double>(std::max<std::uint64_t>(1, steps));
  request.adaptive = adaptive;
  request.steps = steps;
  request.accelerations = true;
  Random random(seed);
  const auto ask = [&](const Request& asked) { return answer_request(cheats(), asked); };
  try {
    return judge_by_halves(ask, {request, ask(request)},
                           check::tolerance_named("standard", Precision::single_precision), random);
  } catch (const InputError& refusal) {  // of a state that a cheat has ruined
    return {.wrong = refusal.what()};
  }
}

class Halves : public testing::TestWithParam<const char*> {};

TEST_P(Halves, AreRightInAnHonestProgram) {
  for (const std::uint64_t steps : {0, 1, 2, 7, 40, 300}) {
    for (const bool adaptive : {false, true}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto verdict = verdict_on("not_at_all", GetParam(), 60, steps, adaptive, seed);
        EXPECT_EQ(verdict.wrong, "") << steps << adaptive << seed;
        EXPECT_TRUE(adaptive || verdict.shows_joined_steps) << steps;
      }
    }
  }
}

TEST_P(Halves, TellWhatIsSaved) {
  for (const char* how : {"half_the_steps", "three_quarters", "a_step_less", "taken_over", "rough",
                          "rough_in_one_go", "wrong_clock", "half_the_sources"}) {
    for (const std::uint64_t steps : {16, 40, 300}) {
      EXPECT_NE(verdict_on(how, GetParam(), 60, steps, false, steps).wrong, "") << how << steps;
    }
  }
  for (const char* how : {"half_the_steps", "three_quarters", "a_step_less", "longer"}) {
    EXPECT_NE(verdict_on(how, GetParam(), 60, 40, true, 40).wrong, "") << how << ", adaptive";
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Halves, testing::Values("plummer", "random", "galaxy"));

// More steps than float can tell apart.
TEST(Halves, SayWhenNothingCouldBeNoticed) {
  EXPECT_FALSE(verdict_on("not_at_all", "plummer", 20, 20000, false, 1).shows_joined_steps);
}

TEST(FreshScene, IsAnotherOneOfTheSameLaw) {
  for (const char* name : {"plummer", "random", "galaxy"}) {
    const Scene one = fresh_scene(name, 20, 1), other = fresh_scene(name, 20, 2);
    EXPECT_EQ(one.bodies.size(), 20u) << name;
    EXPECT_EQ(one.setting, other.setting) << name;
    EXPECT_NE(one.bodies, other.bodies) << name;
    EXPECT_EQ(one, fresh_scene(name, 20, 1)) << name;
    EXPECT_GT(time_to_follow(one), 0) << name;
  }
}

}  // namespace
}  // namespace nbody::bench
