// How timed answers are judged, and the scenes that are timed.
#include "bench/halves.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/fresh_scene.hpp"
#include "check/judge.hpp"
#include "check/tolerance.hpp"
#include "check/zoo/wrong/cheats.hpp"
#include "core/conserved.hpp"
#include "core/input_error.hpp"
#include "core/scenes.hpp"
#include "simulator/simulation.hpp"

namespace nbody::bench {
namespace {

const check::Tolerance& standard() {
  return check::tolerance_named("standard", Precision::single_precision);
}

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
    return judge_by_halves(ask, {request, ask(request)}, standard(), random);
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
  const std::vector<const char*> of_fixed = {"half_the_steps", "three_quarters",  "a_step_less",
                                             "taken_over",     "rough",           "rough_in_one_go",
                                             "wrong_clock",    "half_the_sources"};
  const std::vector<const char*> of_adaptive = {"half_the_steps", "three_quarters", "a_step_less",
                                                "longer"};
  for (const bool adaptive : {false, true}) {
    for (const char* how : adaptive ? of_adaptive : of_fixed) {
      for (const std::uint64_t steps : {16, 40, 300}) {
        if (adaptive && steps != 40) continue;
        EXPECT_NE(verdict_on(how, GetParam(), 60, steps, adaptive, steps).wrong, "")
            << how << " " << steps << adaptive;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Halves, testing::Values("plummer", "random", "galaxy"));

TEST(DistanceBetween, IsInfiniteWithoutNumbers) {
  const Scene scene = fresh_scene("plummer", 10, 1);
  const State start = check::state_of(scene.bodies);
  State end = start;
  EXPECT_EQ(distance_between(end, end, start, 5, standard().digits), 0);
  end.velocity.y[5] = std::nan("");
  EXPECT_TRUE(std::isinf(distance_between(end, start, start, 5, standard().digits)));
}

// More steps than float can tell apart.
TEST(Halves, SayWhenNothingCouldBeNoticed) {
  EXPECT_FALSE(verdict_on("not_at_all", "plummer", 20, 20000, false, 1).shows_joined_steps);
}

TEST(FreshScene, IsAnotherOneOfTheSameLaw) {
  for (const SceneGenerator& generator : scene_generators()) {
    SCOPED_TRACE(generator.name);
    const std::size_t n = generator.bodies != 0 ? generator.bodies : 20;
    const Scene one = fresh_scene(generator.name, n, 1), other = fresh_scene(generator.name, n, 2);
    EXPECT_EQ(one.bodies.size(), n);
    EXPECT_EQ(one.setting, other.setting);
    EXPECT_EQ(one.setting.integrator, "");
    EXPECT_NE(one.bodies, other.bodies);
    EXPECT_EQ(one, fresh_scene(generator.name, n, 1));
  }
}

TEST(FreshScene, AFixedOneIsTurnedAndKeepsItsEnergy) {
  const Scene fixed = make_scene("two-body", 2, 1), turned = fresh_scene("two-body", 2, 7);
  EXPECT_NE(fixed.bodies.qx, turned.bodies.qx);
  EXPECT_NEAR(potential_energy(turned.bodies, 1, 0) / potential_energy(fixed.bodies, 1, 0), 1,
              1e-6);
  EXPECT_NEAR(kinetic_energy(turned.bodies) / kinetic_energy(fixed.bodies), 1, 1e-6);
}

TEST(TimeToFollow, IsAPartOfTheTimeToCrossTheScene) {
  const double plummer = time_to_follow(make_scene("plummer", 500, 1));  // crossing time 2 sqrt(2)
  EXPECT_GT(plummer, 0.1);
  EXPECT_LT(plummer, 1);
  EXPECT_EQ(time_to_follow(make_scene("plummer", 1, 1)), 0);
}

}  // namespace
}  // namespace nbody::bench
