#include "check/step_bounds.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <utility>

#include "check/check_scenes.hpp"
#include "check/judge.hpp"
#include "check/test_answers.hpp"

namespace nbody::check {
namespace {

using test::standard;

StepError judged(const Scene& scene, const State& before, const State& after) {
  const Bodies<double> bodies = bodies_in(scene, before);
  std::vector<std::size_t> rows(bodies.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const Reference reference =
      reference_accelerations(bodies, scene.setting.G, scene.setting.softening);
  const double dt = scene.setting.dt;
  return state_error(stepped(before, reference.acceleration, dt, rows), after, reference.magnitude,
                     dt, standard(), rows);
}

double error_of(const Scene& scene, const State& before, const State& after) {
  return judged(scene, before, after).max;
}

struct Size {
  std::size_t n;
  std::uint64_t steps;
};
constexpr Size sizes[] = {{2, 20}, {33, 50}, {257, 8}};  // those of the check

// A program that computes a step in double and holds its state in float; or holds it in double and
// shows it as float: two roundings.
TEST(StepBounds, StatesRoundedToFloatStayBelowHalfTheBound) {
  for (const Size size : sizes) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Scene scene = test::step_scene(size.n, seed);
      State held = state_of(scene), shown = held;
      for (std::uint64_t step = 0; step < size.steps; ++step) {
        const State after = test::rounded_to_float(test::next(scene, held));
        EXPECT_LT(error_of(scene, held, after), 0.5) << size.n << " " << seed << " " << step;
        held = after;
        const State exact = test::next(scene, shown);
        EXPECT_LT(error_of(scene, test::rounded_to_float(shown), test::rounded_to_float(exact)),
                  0.5)
            << size.n << " " << seed << " " << step;
        shown = exact;
      }
    }
  }
}

TEST(StepBounds, ExactStepInDoubleHasNoErrorToSpeakOf) {
  for (const std::uint64_t seed : test::worlds) {
    const Scene scene = test::step_scene(33, seed);
    EXPECT_LT(error_of(scene, state_of(scene), test::next(scene, state_of(scene))), 1e-6);
  }
}

// At the check's own time step every wrong scheme is far outside, in every world.
TEST(StepBounds, WrongSchemesMissByMoreThanHundredBounds) {
  for (const Mistake& mistake : mistakes()) {
    if (mistake.scheme == StepFactors()) continue;
    for (const Size size : sizes) {
      for (const std::uint64_t seed : test::worlds) {
        const Scene scene = test::step_scene(size.n, seed);
        const State before = state_of(scene);
        EXPECT_GT(error_of(scene, before, test::next(scene, before, mistake.scheme)), 100)
            << mistake.name << ", N = " << size.n << ", seed " << seed;
      }
    }
  }
}

TEST(StepBounds, WrongAccelerationsMissByMoreThanHundredBounds) {
  for (const std::uint64_t seed : test::worlds) {
    const Scene scene = test::step_scene(33, seed);
    const State start = state_of(scene);
    const State before = test::next(scene, start);
    const Vectors<double> stale = reference_of(scene).acceleration;
    const State after = test::moved(before, stale, scene.setting.dt);
    EXPECT_GT(error_of(scene, before, after), 100) << seed;
  }
}

TEST(StepBounds, OneBodyIsEnough) {
  const Scene scene = test::step_scene(257, 1);
  const State before = state_of(scene);
  State after = test::next(scene, before);
  after.position.z.back() = before.position.z.back();
  const StepError error = judged(scene, before, after);
  EXPECT_GT(error.max, 100);
  EXPECT_EQ(error.worst, 256u);
  EXPECT_TRUE(error.in_position);
  after = test::next(scene, before);
  after.velocity.x.front() = before.velocity.x.front();
  EXPECT_FALSE(judged(scene, before, after).in_position);
}

TEST(StepBounds, WhatIsNotFiniteIsInfinitelyWrong) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Scene scene = test::step_scene(33, 1);
  const State before = state_of(scene);
  const State right = test::next(scene, before);
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
    for (const auto vectors : {&State::position, &State::velocity}) {
      for (const auto column : {&Vectors<double>::x, &Vectors<double>::y, &Vectors<double>::z}) {
        State after = right;
        (after.*vectors.*column)[32] = value;
        EXPECT_EQ(error_of(scene, before, after), infinity) << value;
      }
    }
  }
}

// The bound may not grow with a wrong answer: a body thrown far away is no rounding error.
TEST(StepBounds, HugeAnswersAreWrong) {
  const Scene scene = test::step_scene(33, 1);
  const State before = state_of(scene);
  for (const double far : {1e3, 1e30, 1e300}) {
    State after = test::next(scene, before);
    after.position.y[3] = far;
    EXPECT_GT(error_of(scene, before, after), 1000) << far;
  }
}

// Nothing pulls and nothing moves: then not the least motion is right.
TEST(StepBounds, MotionOutOfNothingIsInfinitelyWrong) {
  State before{0, {{0}, {0}, {0}}, {{0}, {0}, {0}}};
  const auto error_of_one = [&](const State& after) {
    return state_error(before, after, {0}, 1, standard(), {0}).max;
  };
  EXPECT_EQ(error_of_one(before), 0);
  State after = before;
  after.position.x[0] = 1;
  EXPECT_GT(error_of_one(after), 1e5);
}

// The limit of forces grows with the number of bodies, and what a step may err with it: to twice as
// much here.
TEST(StepBounds, AStepOfVeryManyBodiesMayErrAsItsForcesMay) {
  Case test = case_of(Group::steps, "one step from rest",
                      at_rest(make_check_scene(CheckScene::equal_masses, 4 * 16384, 1)));
  test.request.steps = 1;
  test.request.every_state = true;
  test.rows = {0, 4 * 16384 - 1};
  const Reference& reference = test.reference();
  const double dt = test.request.setting.dt;
  for (const auto& [error, verdict] :
       {std::pair{1.8, Verdict::passed}, std::pair{2.3, Verdict::failed}}) {
    Answer answer;
    answer.states = {stepped(state_of(test.request.bodies), reference.acceleration, dt, test.rows)};
    answer.states[0].velocity.x[0] += error * standard().force * reference.magnitude[0] * dt;
    Row row;
    judge(test, answer, standard(), row);
    EXPECT_EQ(row.verdict, verdict) << error << " " << row.detail;
  }
}

}  // namespace
}  // namespace nbody::check
