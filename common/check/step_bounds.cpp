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

Bodies<double> bodies_in(const Bodies<double>& bodies, const State& state) {
  return {bodies.mass,      bodies.radius,    state.position.x, state.position.y,
          state.position.z, state.velocity.x, state.velocity.y, state.velocity.z};
}

Bodies<double> bodies_in(const Scene& scene, const State& state) {
  return bodies_in(scene.bodies, state);
}

State state_of(const Bodies<double>& b, double time) {
  return {time, {b.qx, b.qy, b.qz}, {b.vx, b.vy, b.vz}};
}

State state_of(const Scene& scene) { return state_of(scene.bodies); }

State stepped(State state, const Vectors<double>& acceleration, double dt,
              const std::vector<std::size_t>& rows) {
  state.time += dt;
  for (const auto axis : axes) {
    auto &q = state.position.*axis, &v = state.velocity.*axis;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += v[i] * dt;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double a = (acceleration.*axis)[k];
      q[rows[k]] += a * dt * dt / 2;
      v[rows[k]] += a * dt;
    }
  }
  return state;
}

StepError body_error(const State& expected, std::size_t j, const State& got, std::size_t i,
                     double magnitude, double dt, const Tolerance& tolerance, double roundings) {
  const auto miss = [&](const Vectors<double>& is, const Vectors<double>& should) {
    return length(is.x[i] - should.x[j], is.y[i] - should.y[j], is.z[i] - should.z[j]);
  };
  const double pull = tolerance.force * magnitude * dt;
  const double speed = std::max(length(expected.velocity, j), length(got.velocity, i));
  const double place = std::max(length(expected.position, j), length(got.position, i));
  const double of_velocity = roundings * (pull + 5 * tolerance.digits * speed);
  const double of_position = roundings * (pull * dt + 6 * tolerance.digits * (place + speed * dt));
  const StepError velocity{ratio(miss(got.velocity, expected.velocity), of_velocity), i, false};
  const StepError position{ratio(miss(got.position, expected.position), of_position), i, true};
  return position.max <= velocity.max ? velocity : position;
}

StepError state_error(const State& expected, const State& got, const std::vector<double>& magnitude,
                      double dt, const Tolerance& tolerance, const std::vector<std::size_t>& rows,
                      double roundings) {
  StepError error;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const StepError of_body =
        body_error(expected, rows[k], got, rows[k], magnitude[k], dt, tolerance, roundings);
    if (!(of_body.max <= error.max)) error = of_body;
  }
  return error;
}

}  // namespace nbody::check
