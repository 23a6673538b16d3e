#include "check/step_diagnosis.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "check/test_answers.hpp"

namespace nbody::check {
namespace {

using protocol::State;

// Every mistake is made in each of the three worlds.
class StepDiagnosis : public testing::TestWithParam<std::uint64_t> {
 protected:
  Scene scene(std::size_t n = 33) const { return test::step_scene(n, GetParam()); }
};

using Spoil = std::function<void(State& after, std::uint64_t step)>;

// Right steps, each followed by what is wrong about it.
std::vector<State> spoilt_run(const Scene& scene, std::uint64_t steps, const Spoil& spoil) {
  std::vector<State> states;
  for (std::uint64_t k = 0; k < steps; ++k) {
    State after = test::next(scene, k == 0 ? state_of(scene) : states.back());
    spoil(after, k);
    states.push_back(test::rounded_to_float(after));
  }
  return states;
}

Hypotheses found_in(const Scene& scene, std::vector<State> states, bool adaptive = false) {
  Case test = case_of(Group::steps, "", scene);
  test.rows.resize(scene.bodies.size());
  std::iota(test.rows.begin(), test.rows.end(), std::size_t{0});
  test.request.steps = states.size();
  test.request.want_every_state = true;
  test.request.adaptive = adaptive;
  protocol::Answer answer;
  answer.states = std::move(states);
  return fitted_step_mistakes(test, answer, test::standard());
}

std::string diagnosis_of(const Scene& scene, const std::vector<State>& states) {
  const Hypotheses found = found_in(scene, states);
  return found.empty() ? "" : found.front().sentence;
}

void expect_says(const std::string& diagnosis, const std::string& words) {
  EXPECT_NE(diagnosis.find(words), std::string::npos)
      << "expected: " << words << "\ndiagnosis: " << diagnosis;
}

TEST_P(StepDiagnosis, RightStepsHaveNone) {
  for (const std::size_t n : {2, 33, 257}) {
    EXPECT_EQ(diagnosis_of(scene(n), spoilt_run(scene(n), 4, [](State&, auto) {})), "") << n;
  }
}

TEST_P(StepDiagnosis, Friction) {
  for (const double keep : {0.5, 0.99, 1.01}) {
    const State after = test::next(scene(), state_of(scene()), {.keep = keep});
    expect_says(diagnosis_of(scene(), {test::rounded_to_float(after)}),
                fmt::format("velocities are multiplied by {:g} in every step", keep));
  }
}

// One velocity is wrong and all positions are right: nothing was shifted.
TEST_P(StepDiagnosis, AWrongVelocityIsNoShift) {
  const auto states =
      spoilt_run(scene(), 1, [](State& after, auto) { after.velocity.x[5] *= 1 + 1e-6; });
  EXPECT_EQ(diagnosis_of(scene(), states).find("shifted"), std::string::npos);
}

TEST_P(StepDiagnosis, BodiesAreShifted) {
  const double extent = std::abs(scene().bodies.qx.front());
  const auto states = spoilt_run(scene(), 1, [&](State& after, auto) {
    for (double& x : after.position.x) x += extent / 8;
  });
  expect_says(diagnosis_of(scene(), states), "all positions are shifted by the same vector");
}

TEST_P(StepDiagnosis, TimeIsWrong) {
  const double dt = scene().setting.dt;
  const auto states = spoilt_run(scene(), 3, [&](State& after, std::uint64_t step) {
    if (step == 1) after.time += dt / 2;
  });
  expect_says(diagnosis_of(scene(), states), "the time returned by advance() is wrong");
}

// Lengths of an adaptive step that Eq. 7 does not give, with the motion that follows from them.
TEST_P(StepDiagnosis, TheLengthOfAStep) {
  const Scene bodies = scene();
  const Vectors<double> a = reference_of(bodies).acceleration;
  const double right = reference_time_step(bodies.bodies, a);
  const auto says = [&](double dt, const char* mistake) {
    const State after = test::moved(state_of(bodies), a, dt);
    for (const Hypothesis& one : found_in(bodies, {test::rounded_to_float(after)}, true)) {
      if (one.mistake == std::string_view(mistake)) return one.sentence;
    }
    return std::string("none");
  };
  EXPECT_EQ(says(right, "ratio"), "none");
  expect_says(says(1.5 * right, "ratio"), "1.5 times the largest that Eq. 7 allows");
  const double of_3 = reference_time_step(bodies.bodies, {{a.x[3]}, {a.y[3]}, {a.z[3]}}, {3});
  if (of_3 > 1.001 * right) expect_says(says(of_3, "another body's step"), "that of body 3, but");
  const Units units = Units::for_bodies(bodies.bodies, bodies.setting.G);
  double round = 1;
  while (units.time_to_si(round) > right / 2) round /= 10;
  expect_says(says(units.time_to_si(round), "constant step"), "no adaptive step is longer");
  EXPECT_EQ(says(units.time_to_si(1.234 * round), "constant step"), "none");
}

TEST_P(StepDiagnosis, NoneForWhatNobodyCanExplain) {
  const auto states = spoilt_run(scene(), 2, [](State& after, auto) {
    for (std::size_t i = 0; i < after.velocity.x.size(); i += 3) after.velocity.x[i] *= 1.5;
  });
  EXPECT_EQ(diagnosis_of(scene(), states), "");
}

INSTANTIATE_TEST_SUITE_P(Worlds, StepDiagnosis, testing::ValuesIn(test::worlds));

}  // namespace
}  // namespace nbody::check
