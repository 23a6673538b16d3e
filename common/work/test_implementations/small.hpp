#pragma once

#include "simulator/structure_of_arrays.hpp"

namespace nbody {

// A small implementation, with body i and its sums in registers. A source: 3 + 2 + 3 add,
// 3 + 1 + 3 mul, 1 div, 1 sqrt.
class Small : public StructureOfArrays {
 public:
  using StructureOfArrays::StructureOfArrays;

  real largest_time_step() override { return 1; }
  void update_bodies(real) override {}
  void compute_accelerations() override {
    const auto& [mass, radius, qx, qy, qz, vx, vy, vz] = bodies;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const real at[] = {qx[i], qy[i], qz[i]};
      real sum[] = {0, 0, 0};
      for (std::size_t j = 0; j < mass.size(); ++j) {
        if (j == i) continue;
        const real to[] = {qx[j] - at[0], qy[j] - at[1], qz[j] - at[2]};
        const real r2 = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
        const real weight = mass[j] / (r2 * std::sqrt(r2));
        for (int axis = 0; axis < 3; ++axis) sum[axis] += weight * to[axis];
      }
      acceleration.x[i] = G * sum[0];
      acceleration.y[i] = G * sum[1];
      acceleration.z[i] = G * sum[2];
    }
  }
};

// What only its first call does is no work of an iteration; numbers that leave the counting are
// told, and those that bypass it are wrong.
class Odd : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    for (real& mass : bodies.mass) {
      if (first) mass *= 1;
    }
    first = false;
    bodies.mass[0] = as_double(bodies.mass[0]);
    bodies.qx[0] = reinterpret_cast<const double*>(bodies.qx.data())[0];
    Small::compute_accelerations();
  }

 private:
  bool first = true;
};

}  // namespace nbody
