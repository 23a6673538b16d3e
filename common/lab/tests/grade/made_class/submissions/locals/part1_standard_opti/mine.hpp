// Honest: keeps position and sums of a body in local variables.
#pragma once

#include <cmath>

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      const real x = bodies[i].qx, y = bodies[i].qy, z = bodies[i].qz;
      real ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (i == j) continue;
        const real dx = bodies[j].qx - x;
        const real dy = bodies[j].qy - y;
        const real dz = bodies[j].qz - z;
        const real distance = std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
        const real pull = G * bodies[j].mass / (distance * distance);
        ax += pull * (dx / distance);
        ay += pull * (dy / distance);
        az += pull * (dz / distance);
      }
      bodies[i].ax = ax;
      bodies[i].ay = ay;
      bodies[i].az = az;
    }
  }
};

}  // namespace nbody
