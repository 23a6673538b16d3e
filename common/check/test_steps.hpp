#pragma once

#include <algorithm>
#include <cmath>

#include "bodies/units.hpp"
#include "check/mistakes/mistake.hpp"
#include "check/step_bounds.hpp"
#include "check/test_answers.hpp"

namespace nbody::check::test {

// The rows of the table that are given by three numbers in Eq. 4 and 5.
inline std::vector<Mistake> wrong_schemes() {
  std::vector<Mistake> found;
  for (const Mistake& mistake : mistakes()) {
    if (mistake.recognised == Recognised::by_scheme) found.push_back(mistake);
  }
  return found;
}

// Softened like the checker's scenes: in a close encounter rounding would decide the next step.
inline Scene step_scene(std::size_t n, std::uint64_t seed) {
  Scene scene = make_check_scene(CheckScene::equal_masses, n, seed);
  const double cell = seed % 3 == 0 ? 1.5e8 : seed % 3 == 1 ? 0.5 : 4e-3;
  scene.setting.softening = std::max(scene.setting.softening, nbody::rounded_to_float(0.3 * cell));
  return scene;
}

inline Reference reference_at(const Scene& scene, const protocol::State& state) {
  return reference_accelerations(bodies_in(scene, state), scene.setting.G, scene.setting.softening);
}

inline protocol::State moved(protocol::State state, const Vectors<double>& a, double dt,
                             const StepFactors& scheme) {
  const auto move = [&](std::vector<double>& q, std::vector<double>& v,
                        const std::vector<double>& pull) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += scheme.drift * v[i] * dt + scheme.push * pull[i] * dt * dt / 2;
      v[i] = scheme.keep * v[i] + scheme.kick * pull[i] * dt;
    }
  };
  move(state.position.x, state.velocity.x, a.x);
  move(state.position.y, state.velocity.y, a.y);
  move(state.position.z, state.velocity.z, a.z);
  state.time += dt;
  return state;
}

inline protocol::State next(const Scene& scene, const protocol::State& state,
                            const StepFactors& scheme) {
  const Units units = Units::for_bodies(scene.bodies, scene.setting.G);
  return moved(state, reference_at(scene, state).acceleration, scene.setting.dt,
               scheme.at(units.to_time(scene.setting.dt)));
}

inline protocol::State rounded_to_float(protocol::State state) {
  state.position = rounded_to_float(std::move(state.position));
  state.velocity = rounded_to_float(std::move(state.velocity));
  return state;
}

}  // namespace nbody::check::test
