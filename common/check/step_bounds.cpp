#include "check/step_bounds.hpp"

#include <algorithm>
#include <limits>

#include "check/error_measure.hpp"

namespace nbody::check {
namespace {

double ratio(double miss, double bound) {
  if (!is_finite(miss)) return std::numeric_limits<double>::infinity();
  if (miss == 0) return 0;
  return bound > 0 ? miss / bound : std::numeric_limits<double>::infinity();
}

}  // namespace

Bodies<double> bodies_in(const Scene& scene, const protocol::State& state) {
  return {scene.bodies.mass, scene.bodies.radius, state.position.x, state.position.y,
          state.position.z,  state.velocity.x,    state.velocity.y, state.velocity.z};
}

protocol::State state_of(const Scene& scene) {
  const Bodies<double>& b = scene.bodies;
  return {0, {b.qx, b.qy, b.qz}, {b.vx, b.vy, b.vz}};
}

Reference reference_at(const Scene& scene, const protocol::State& state) {
  return reference_accelerations(bodies_in(scene, state), scene.setting.G, scene.setting.softening);
}

std::vector<protocol::State> reference_run(const Scene& scene, std::uint64_t steps,
                                           bool computed_once) {
  Bodies<double> bodies = scene.bodies;
  std::vector<protocol::State> states = {state_of(scene)};
  Reference reference;
  for (std::uint64_t step = 0; step < steps; ++step) {
    if (step == 0 || !computed_once) {
      reference = reference_accelerations(bodies, scene.setting.G, scene.setting.softening);
    }
    reference_update(bodies, reference.acceleration, scene.setting.dt);
    states.push_back(state_of({bodies, scene.setting, 0}));
  }
  return states;
}

double distance(const protocol::State& a, const protocol::State& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    const double miss = distance(a.position, b.position, i);
    if (!(miss <= largest)) {
      largest = is_finite(miss) ? miss : std::numeric_limits<double>::infinity();
    }
  }
  return largest;
}

StepError step_error(const protocol::State& before, const protocol::State& after,
                     const Reference& reference, double dt, const Tolerance& tolerance) {
  StepError error;
  const auto note = [&](double value, std::size_t i, bool in_position) {
    if (value <= error.max) return;
    error = {value, i, in_position};
  };
  const Vectors<double>&q = before.position, &v = before.velocity, &a = reference.acceleration;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double dvx = v.x[i] + a.x[i] * dt - after.velocity.x[i];
    const double dvy = v.y[i] + a.y[i] * dt - after.velocity.y[i];
    const double dvz = v.z[i] + a.z[i] * dt - after.velocity.z[i];
    const double dqx = q.x[i] + v.x[i] * dt + a.x[i] * dt * dt / 2 - after.position.x[i];
    const double dqy = q.y[i] + v.y[i] * dt + a.y[i] * dt * dt / 2 - after.position.y[i];
    const double dqz = q.z[i] + v.z[i] * dt + a.z[i] * dt * dt / 2 - after.position.z[i];
    const double pull = tolerance.force * reference.magnitude[i];
    const double speed = std::max(length(v, i), length(after.velocity, i));
    const double place = std::max(length(q, i), length(after.position, i));
    note(ratio(length(dvx, dvy, dvz), pull * dt + 5 * tolerance.digits * speed), i, false);
    note(ratio(length(dqx, dqy, dqz), pull * dt * dt + 6 * tolerance.digits * (place + speed * dt)),
         i, true);
  }
  return error;
}

}  // namespace nbody::check
