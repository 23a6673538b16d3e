#pragma once

#include <cmath>
#include <vector>

#include "core/bodies.hpp"
#include "core/conserved.hpp"
#include "core/random.hpp"

namespace nbody::test {

struct Body {
  double mass;
  Vector q, v = {};
};

inline Bodies<double> make_bodies(const std::vector<Body>& list) {
  Bodies<double> bodies;
  for (const Body& body : list) {
    const double values[] = {body.mass, 0,        body.q.x, body.q.y,
                             body.q.z,  body.v.x, body.v.y, body.v.z};
    for (std::size_t c = 0; c < 8; ++c) bodies.columns()[c]->push_back(values[c]);
  }
  return bodies;
}

// Masses in (0, 1], positions and velocities in [-1, 1).
inline Bodies<double> random_bodies(std::size_t n) {
  Random random(1);
  Bodies<double> bodies;
  bodies.resize(n);
  for (auto* column : bodies.columns()) {
    for (double& value : *column) value = random.uniform(-1, 1);
  }
  for (double& mass : bodies.mass) mass = 1 - std::abs(mass);
  return bodies;
}

inline double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(const Vector& a) { return std::sqrt(dot(a, a)); }

// Body j as seen from body i, with the mass of both.
inline Body relative(const Bodies<double>& b, std::size_t i, std::size_t j) {
  return {b.mass[i] + b.mass[j],
          {b.qx[j] - b.qx[i], b.qy[j] - b.qy[i], b.qz[j] - b.qz[i]},
          {b.vx[j] - b.vx[i], b.vy[j] - b.vy[i], b.vz[j] - b.vz[i]}};
}

}  // namespace nbody::test
