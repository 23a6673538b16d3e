#pragma once

#include "simulator/structure_of_arrays.hpp"

namespace nbody {

// A small implementation, with body i and its sums in registers. A source: 3 + 2 + 3 add,
// 3 + 1 + 3 mul, 1 div, 1 sqrt.
class Small : public ArraysWithoutJerk {
 public:
  using ArraysWithoutJerk::ArraysWithoutJerk;

  real largest_time_step() override { return 1; }
  void update_bodies(real) override {}
  void compute_accelerations() override {
    const auto& [mass, radius, qx, qy, qz, vx, vy, vz] = bodies;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const real x = qx[i], y = qy[i], z = qz[i];
      real ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < mass.size(); ++j) {
        if (j == i) continue;
        const real dx = qx[j] - x, dy = qy[j] - y, dz = qz[j] - z;
        const real r2 = dx * dx + dy * dy + dz * dz;
        const real weight = mass[j] / (r2 * std::sqrt(r2));
        ax += weight * dx;
        ay += weight * dy;
        az += weight * dz;
      }
      acceleration.x[i] = G * ax;
      acceleration.y[i] = G * ay;
      acceleration.z[i] = G * az;
    }
  }
};

}  // namespace nbody
