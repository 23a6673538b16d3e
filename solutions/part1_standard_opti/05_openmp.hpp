// Problem: one core works, the others are idle.
// Idea: one line above the rows of fused, which share only what they read. Not above those of
// third_law: they write to each other's bodies (exhibits/race.hpp).
// Predicted: 2 x on two threads, 1 x on one.
// Measured: 1.96 x on two threads, 1.00 x on one.
// Why: nothing is shared, and all rows are equally long, so schedule(static) deals them out evenly;
// it is written down, since defaults differ. Two threads are 1.6 x as fast as third_law on one.
#pragma once

#include "03_fused.hpp"

namespace nbody {

class Openmp : public Fused {
 public:
  using Fused::Fused;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    const real infinity = std::numeric_limits<real>::infinity();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
      const real qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz;
      real ax = 0, ay = 0, az = 0, nearest = infinity;
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const real dx = bodies[j].qx - qx;
          const real dy = bodies[j].qy - qy;
          const real dz = bodies[j].qz - qz;
          const real d2 = dx * dx + dy * dy + dz * dz;
          const real r2 = d2 + softening2;
          const real weight = bodies[j].mass / (r2 * std::sqrt(r2));
          ax += weight * dx;
          ay += weight * dy;
          az += weight * dz;
          if (d2 < nearest) nearest = d2;
        }
      }
      bodies[i].ax = G * ax;
      bodies[i].ay = G * ay;
      bodies[i].az = G * az;
      nearest2[i] = nearest;
    }
  }
};

}  // namespace nbody
