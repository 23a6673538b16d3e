// Takes two threads, whatever number was asked for.
#pragma once

#include <cmath>
#include <cstddef>

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
#pragma omp parallel for num_threads(2) schedule(static)
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Body& body = bodies[i];
      real ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (i == j) continue;
        const real dx = bodies[j].qx - body.qx;
        const real dy = bodies[j].qy - body.qy;
        const real dz = bodies[j].qz - body.qz;
        const real inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
        const real pull = G * bodies[j].mass * inverse * inverse * inverse;
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
      }
      body.ax = ax;
      body.ay = ay;
      body.az = az;
    }
  }
};

}  // namespace nbody
