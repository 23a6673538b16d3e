#pragma once

#include <cstdint>
#include <initializer_list>

#include "bodies/bodies.hpp"

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

}  // namespace nbody::test
