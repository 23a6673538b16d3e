// Problem: one number at a time, although a register holds sixteen.
// Idea: give the compiler every permission that it needs, and no other:
//   omp simd reduction          the sums may be added in another order
//   -fno-math-errno             a root of a negative number need not set errno
//   -fno-trapping-math          unused lanes may be computed, such as the 0 / 0 of i = j
//   a selection for i = j       no branch
//   pointers (or x) in locals   no store in the loop that might change them
// Predicted: 16 x, the numbers in a register.
// Measured: 9.05 x.
// Why: naive takes 9 cycles for one interaction, this loop 15.5 for sixteen. g++ keeps the three
// sums on the stack (vfmadd213ps 0x48(%rsp), then a store), so each waits for the one before, as
// those of part 1's algebra do. On an Intel Xeon root and division fill the divider for 22 cycles
// (./lab bound), which hides that, and the gain is 6.3 x.
#pragma once

#include "../../part2_vectorization/naive.hpp"

namespace nbody {

class OmpSimd : public Naive {
 public:
  using Naive::Naive;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    const real *mass = bodies.mass.data(), *qx = bodies.qx.data();
    const real *qy = bodies.qy.data(), *qz = bodies.qz.data();
    for (std::size_t i = 0; i < n; ++i) {
      const real x = qx[i], y = qy[i], z = qz[i];
      real ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
      for (std::size_t j = 0; j < n; ++j) {
        const real dx = qx[j] - x;
        const real dy = qy[j] - y;
        const real dz = qz[j] - z;
        const real r2 = dx * dx + dy * dy + dz * dz + softening2;
        const real weight = r2 > 0 ? mass[j] / (r2 * std::sqrt(r2)) : 0;
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
