#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "core/bodies.hpp"
#include "core/conserved.hpp"
#include "core/reference.hpp"

namespace nbody::test {

struct Body {
  double mass;
  double qx, qy, qz;
  double vx = 0, vy = 0, vz = 0;
};

inline Bodies<double> make_bodies(std::initializer_list<Body> list) {
  Bodies<double> bodies;
  for (const Body& body : list) {
    bodies.mass.push_back(body.mass);
    bodies.radius.push_back(0);
    bodies.qx.push_back(body.qx);
    bodies.qy.push_back(body.qy);
    bodies.qz.push_back(body.qz);
    bodies.vx.push_back(body.vx);
    bodies.vy.push_back(body.vy);
    bodies.vz.push_back(body.vz);
  }
  return bodies;
}

// Masses in (0, 1], positions and velocities in [-1, 1).
inline Bodies<double> random_bodies(std::size_t n) {
  std::uint64_t state = 1;
  const auto random = [&state] {  // Knuth's linear congruential generator, upper bits
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 40) / (1 << 24);
  };
  Bodies<double> bodies;
  bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass[i] = 1 - random();
    for (auto* column : {&bodies.qx, &bodies.qy, &bodies.qz, &bodies.vx, &bodies.vy, &bodies.vz}) {
      (*column)[i] = 2 * random() - 1;
    }
  }
  return bodies;
}

inline double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(const Vector& a) { return std::sqrt(dot(a, a)); }

struct State {
  double mass;
  Vector q, v;
};

inline State state_of(const Bodies<double>& b, std::size_t i) {
  return {b.mass[i], {b.qx[i], b.qy[i], b.qz[i]}, {b.vx[i], b.vy[i], b.vz[i]}};
}

// Of two bodies: the second as seen from the first, with the mass of both.
inline State relative(const State& from, const State& to) {
  return {from.mass + to.mass,
          {to.q.x - from.q.x, to.q.y - from.q.y, to.q.z - from.q.z},
          {to.v.x - from.v.x, to.v.y - from.v.y, to.v.z - from.v.z}};
}

inline double distance(const Bodies<double>& bodies, std::size_t i, std::size_t j) {
  return length(relative(state_of(bodies, i), state_of(bodies, j)).q);
}

// Leapfrog: second order and reversible, so orbits close after a period.
inline void leapfrog(Bodies<double>& bodies, double G, double softening, double dt) {
  Vectors<double> none;
  none.resize(bodies.size());
  reference_update(bodies, none, dt / 2);
  const auto a = reference_accelerations(bodies, G, softening).acceleration;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.vx[i] += a.x[i] * dt;
    bodies.vy[i] += a.y[i] * dt;
    bodies.vz[i] += a.z[i] * dt;
  }
  reference_update(bodies, none, dt / 2);
}

}  // namespace nbody::test
