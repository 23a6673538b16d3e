#include "check/step_diagnosis.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>

#include "check/test_answers.hpp"

namespace nbody::check {
namespace {

using protocol::State;

using test::standard;

// Every mistake is made in each of the three worlds.
class StepDiagnosis : public testing::TestWithParam<std::uint64_t> {
 protected:
  Scene scene(std::size_t n = 33) const { return test::step_scene(n, GetParam()); }
};

using Step = std::function<State(const State& before, std::uint64_t step)>;

std::vector<State> run(const Scene& scene, std::uint64_t steps, const Step& step) {
  std::vector<State> states;
  for (std::uint64_t k = 0; k < steps; ++k) {
    const State before = k == 0 ? state_of(scene) : states.back();
    states.push_back(test::rounded_to_float(step(before, k)));
  }
  return states;
}

// Right steps, each followed by what is wrong about it.
std::vector<State> spoilt_run(const Scene& scene, std::uint64_t steps,
                              const std::function<void(State& after, std::uint64_t step)>& spoil) {
  return run(scene, steps, [&](const State& before, std::uint64_t step) {
    State after = test::next(scene, before);
    spoil(after, step);
    return after;
  });
}

std::string diagnosis_of(const Scene& scene, const std::vector<State>& states, std::uint64_t step) {
  return diagnose_step({scene, states, step}, scene.setting.dt, standard());
}

// Of one step by this scheme.
std::string diagnosis_of(const Scene& scene, const StepFactors& scheme) {
  const auto states =
      run(scene, 1, [&](const State& before, auto) { return test::next(scene, before, scheme); });
  return diagnosis_of(scene, states, 0);
}

void expect_says(const std::string& diagnosis, const std::string& words) {
  EXPECT_NE(diagnosis.find(words), std::string::npos)
      << "wanted: " << words << "\ndiagnosis: " << diagnosis;
}

TEST_P(StepDiagnosis, RightStepsHaveNone) {
  for (const std::size_t n : {2, 33, 257}) {
    const Scene bodies = scene(n);
    const auto states = spoilt_run(bodies, 4, [](State&, auto) {});
    for (std::uint64_t step = 0; step < 4; ++step) {
      EXPECT_EQ(diagnosis_of(bodies, states, step), "") << n << " " << step;
    }
  }
}

TEST_P(StepDiagnosis, WrongSchemes) {
  for (const std::size_t n : {2, 33, 257}) {
    for (const Mistake& mistake : test::mistakes_recognised(Recognised::by_scheme)) {
      EXPECT_EQ(diagnosis_of(scene(n), mistake.scheme), mistake.diagnosis);
    }
  }
}

TEST_P(StepDiagnosis, Friction) {
  for (const double keep : {0.5, 0.99, 1.01}) {
    expect_says(diagnosis_of(scene(), {.keep = keep}),
                fmt::format("velocities are multiplied by {:g} in every step", keep));
  }
}

// One velocity is wrong and all positions are right: nothing was shifted.
TEST_P(StepDiagnosis, AWrongVelocityIsNoShift) {
  const Scene bodies = scene();
  const auto states =
      spoilt_run(bodies, 1, [](State& after, auto) { after.velocity.x[5] *= 1 + 1e-6; });
  EXPECT_EQ(diagnosis_of(bodies, states, 0).find("shifted"), std::string::npos);
}

TEST_P(StepDiagnosis, AccelerationsOfTheFirstStep) {
  const Scene bodies = scene();
  const Reference first = reference_at(bodies, state_of(bodies));
  const auto states = run(bodies, 4, [&](const State& before, auto) {
    return test::moved(before, first.acceleration, bodies.setting.dt);
  });
  expect_says(diagnosis_of(bodies, states, 1), "those of the very first step");
}

TEST_P(StepDiagnosis, AccelerationsOfTheStepBefore) {
  const Scene bodies = scene();
  Reference last = reference_at(bodies, state_of(bodies));
  const auto states = run(bodies, 4, [&](const State& before, auto) {
    const Vectors<double> used = last.acceleration;
    last = reference_at(bodies, before);
    return test::moved(before, used, bodies.setting.dt);
  });
  expect_says(diagnosis_of(bodies, states, 1), "accelerations of the previous step");
}

// Adaptive: the steps grow, and their time is told rightly.
TEST_P(StepDiagnosis, TheDtOfAnotherStep) {
  const Scene bodies = scene();
  const auto dt_of = [&](std::uint64_t k) { return bodies.setting.dt * (1 + 0.2 * double(k)); };
  const auto run_by = [&](auto other) {
    return run(bodies, 4, [&](const State& before, std::uint64_t step) {
      State after =
          test::moved(before, reference_at(bodies, before).acceleration, dt_of(other(step)));
      after.time = before.time + dt_of(step);
      return after;
    });
  };
  const auto diagnosis = [&](const std::vector<State>& states) {
    return diagnose_step({bodies, states, 1}, dt_of(1), standard());
  };
  EXPECT_EQ(diagnosis(run_by([](std::uint64_t step) { return step; })), "");
  expect_says(diagnosis(run_by([](auto) { return 0; })), "by the dt of the very first");
  expect_says(diagnosis(run_by([](std::uint64_t step) { return step < 1 ? 0 : step - 1; })),
              "by the dt of the previous step");
}

TEST_P(StepDiagnosis, AccelerationsAddUp) {
  const Scene bodies = scene();
  Vectors<double> sum;
  sum.resize(bodies.bodies.size());
  const auto states = run(bodies, 4, [&](const State& before, auto) {
    const Vectors<double> a = reference_at(bodies, before).acceleration;
    for (const auto axis : axes) {
      for (std::size_t i = 0; i < a.size(); ++i) (sum.*axis)[i] += (a.*axis)[i];
    }
    return test::moved(before, sum, bodies.setting.dt);
  });
  expect_says(diagnosis_of(bodies, states, 1), "accelerations add up from step to step");
}

TEST_P(StepDiagnosis, BodiesAreShifted) {
  const Scene bodies = scene();
  const double extent = std::abs(bodies.bodies.qx.front());
  const auto states = spoilt_run(bodies, 1, [&](State& after, auto) {
    for (double& x : after.position.x) x += extent / 8;
  });
  expect_says(diagnosis_of(bodies, states, 0), "all positions are shifted by the same vector");
}

TEST_P(StepDiagnosis, TimeIsWrong) {
  const Scene bodies = scene();
  const auto states = spoilt_run(bodies, 3, [&](State& after, std::uint64_t step) {
    if (step == 1) after.time += bodies.setting.dt / 2;
  });
  EXPECT_EQ(diagnosis_of(bodies, states, 0), "");
  expect_says(diagnosis_of(bodies, states, 1), "the time returned by advance() is wrong");
}

TEST_P(StepDiagnosis, NoneForWhatNobodyCanExplain) {
  const Scene bodies = scene();
  const auto states = spoilt_run(bodies, 2, [](State& after, auto) {
    for (std::size_t i = 0; i < after.velocity.x.size(); i += 3) after.velocity.x[i] *= 1.5;
  });
  EXPECT_EQ(diagnosis_of(bodies, states, 0), "");
  EXPECT_EQ(diagnosis_of(bodies, states, 1), "");
}

INSTANTIATE_TEST_SUITE_P(Worlds, StepDiagnosis, testing::ValuesIn(test::worlds));

}  // namespace
}  // namespace nbody::check
