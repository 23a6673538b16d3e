#include "protocol/test_servers/honest_answer.hpp"

#include <cmath>

namespace nbody::protocol {
namespace {

struct Pulls {
  Vectors<double> acceleration, jerk;
};

Pulls pulls_on(const Bodies<double>& bodies, const Setting& setting) {
  const std::size_t n = bodies.size();
  Vectors<double> a, jerk;
  a.resize(n);
  jerk.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const double dx = bodies.qx[j] - bodies.qx[i];
      const double dy = bodies.qy[j] - bodies.qy[i];
      const double dz = bodies.qz[j] - bodies.qz[i];
      const double r2 = dx * dx + dy * dy + dz * dz + setting.softening * setting.softening;
      const double strength = setting.G * bodies.mass[j] / (r2 * std::sqrt(r2));
      a.x[i] += strength * dx;
      a.y[i] += strength * dy;
      a.z[i] += strength * dz;
      const double dvx = bodies.vx[j] - bodies.vx[i];
      const double dvy = bodies.vy[j] - bodies.vy[i];
      const double dvz = bodies.vz[j] - bodies.vz[i];
      const double approach = 3 * (dx * dvx + dy * dvy + dz * dvz) / r2;
      jerk.x[i] += strength * (dvx - approach * dx);
      jerk.y[i] += strength * (dvy - approach * dy);
      jerk.z[i] += strength * (dvz - approach * dz);
    }
  }
  return {a, jerk};
}

void update(std::vector<double>& q, std::vector<double>& v, const std::vector<double>& a,
            double dt) {
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] += v[i] * dt + a[i] * dt * dt / 2;
    v[i] += a[i] * dt;
  }
}

State state_of(const Bodies<double>& bodies, double time) {
  return {time, {bodies.qx, bodies.qy, bodies.qz}, {bodies.vx, bodies.vy, bodies.vz}};
}

}  // namespace

Answer honest_answer(const Request& request) {
  Bodies<double> bodies = request.bodies;
  const double dt = request.setting.dt;
  Answer answer;
  answer.id = request.id;
  for (std::uint64_t step = 1; step <= request.steps; ++step) {
    const Vectors<double> a = pulls_on(bodies, request.setting).acceleration;
    update(bodies.qx, bodies.vx, a.x, dt);
    update(bodies.qy, bodies.vy, a.y, dt);
    update(bodies.qz, bodies.vz, a.z, dt);
    if (request.want_every_state) {
      answer.states.push_back(state_of(bodies, static_cast<double>(step) * dt));
    }
  }
  if (answer.states.empty()) {
    answer.states = {state_of(bodies, static_cast<double>(request.steps) * dt)};
  }
  if (!request.want_accelerations && !request.want_jerk) return answer;
  const Pulls pulls = pulls_on(bodies, request.setting);
  if (request.want_accelerations) answer.accelerations = pulls.acceleration;
  if (request.want_jerk) answer.jerk = pulls.jerk;
  return answer;
}

}  // namespace nbody::protocol
