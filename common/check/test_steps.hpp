#pragma once

#include <algorithm>
#include <cmath>

#include "check/step_bounds.hpp"
#include "check/test_answers.hpp"

namespace nbody::test {

// v' = v + kick a dt and q' = q + drift v dt + push a dt^2/2: Eq. 4 and 5 when all three are 1.
struct Scheme {
  double kick = 1, drift = 1, push = 1;
  const char* sentence = "";  // what the diagnosis must say
};

inline constexpr Scheme wrong_schemes[] = {
    {1, 1, 3, "the new velocity is used in Eq. 5"},
    {1, 1, 2, "a dt^2 stands in Eq. 5 where a dt^2/2 belongs"},
    {1, 1, 0, "the term a dt^2/2 is missing in Eq. 5"},
    {0.5, 0.5, 0.25, "only half of dt is used"},
    {2, 2, 4, "twice the dt is used"},
    {0, 0, 0, "nothing moves"},
    {0, 1, 0, "bodies fly straight on"},
    {-1, 1, -1, "accelerations are subtracted in Eq. 4 and 5"},
    {1, 0, 0, "positions never change"},
    {0, 1, 1, "velocities never change"},
};

// Softened like the check's own: in a close encounter rounding would decide about the next step.
inline Scene step_scene(std::size_t n, std::uint64_t seed) {
  Scene scene = make_check_scene(CheckScene::equal_masses, n, seed);
  const double cell = seed % 3 == 0 ? 1.5e8 : seed % 3 == 1 ? 0.5 : 4e-3;
  scene.setting.softening = std::max(scene.setting.softening, nbody::rounded_to_float(0.3 * cell));
  return scene;
}

inline Reference reference_at(const Scene& scene, const State& state) {
  return reference_accelerations(bodies_in(scene, state), scene.setting.G, scene.setting.softening);
}

inline State moved(State state, const Vectors<double>& a, double dt, const Scheme& scheme) {
  const auto move = [&](std::vector<double>& q, std::vector<double>& v,
                        const std::vector<double>& pull) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += scheme.drift * v[i] * dt + scheme.push * pull[i] * dt * dt / 2;
      v[i] += scheme.kick * pull[i] * dt;
    }
  };
  move(state.position.x, state.velocity.x, a.x);
  move(state.position.y, state.velocity.y, a.y);
  move(state.position.z, state.velocity.z, a.z);
  state.time += dt;
  return state;
}

inline State next(const Scene& scene, const State& state, const Scheme& scheme) {
  return moved(state, reference_at(scene, state).acceleration, scene.setting.dt, scheme);
}

inline State rounded_to_float(State state) {
  state.position = rounded_to_float(std::move(state.position));
  state.velocity = rounded_to_float(std::move(state.velocity));
  return state;
}

}  // namespace nbody::test
