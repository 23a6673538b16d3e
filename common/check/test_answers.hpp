#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/mistakes/mistake.hpp"
#include "check/step_bounds.hpp"
#include "check/tolerance.hpp"
#include "core/units.hpp"

namespace nbody::check::test {

// Answers for tests of the checker: right ones, and spoilt ones.

inline const Tolerance& standard() {
  return tolerance_named("standard", Precision::single_precision);
}

// The seeds of the three unit systems: SI, softened with G = 1, tiny.
inline constexpr std::uint64_t worlds[] = {3, 4, 5};

// Side of a cell of the lattice in the three worlds.
inline double cell_of(std::uint64_t seed) {
  return seed % 3 == 0 ? 1.5e8 : seed % 3 == 1 ? 0.5 : 4e-3;
}

inline Vectors<double> rounded_to_float(Vectors<double> vectors) {
  for (const auto axis : axes) {
    for (double& value : vectors.*axis) value = nbody::rounded_to_float(value);
  }
  return vectors;
}

inline State rounded_to_float(const State& state) {
  return {state.time, rounded_to_float(state.position), rounded_to_float(state.velocity)};
}

// --- steps ----------------------------------------------------------------------------------

// Softened like the checker's scenes: in a close encounter rounding would decide the next step.
inline Scene step_scene(std::size_t n, std::uint64_t seed) {
  Scene scene = make_check_scene(CheckScene::equal_masses, n, seed);
  scene.setting.softening =
      std::max(scene.setting.softening, nbody::rounded_to_float(0.3 * cell_of(seed)));
  return scene;
}

inline State moved(State state, const Vectors<double>& a, double dt,
                   const StepFactors& scheme = {}) {
  for (const auto axis : axes) {
    auto &q = state.position.*axis, &v = state.velocity.*axis;
    const auto& pull = a.*axis;
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += scheme.drift * v[i] * dt + scheme.push * pull[i] * dt * dt / 2;
      v[i] += scheme.kick * pull[i] * dt;
    }
  }
  state.time += dt;
  return state;
}

inline State next(const Scene& scene, const State& state, const StepFactors& scheme = {}) {
  const Units units = Units::for_bodies(scene.bodies, scene.setting.G);
  return moved(state, reference_of({bodies_in(scene, state), scene.setting, 0}).acceleration,
               scene.setting.dt, scheme.at(units.to_time(scene.setting.dt)));
}

}  // namespace nbody::check::test
