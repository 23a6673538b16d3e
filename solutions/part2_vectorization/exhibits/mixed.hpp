// Problem: a float sum of many terms rounds each term to the last digit of the sum so far
// (docs/physics.md).
// Idea: the precision where the error arises: weights in float, sums in double. In double it is
// omp_simd.
// Predicted: 0.9 x: 3 sums become 3 conversions of two half batches and 6 sums, on ports that wait
// for root and division anyway.
// Measured: 0.651 x, with errors some ten times smaller.
// Why: a batch of sixteen floats becomes two of eight doubles, so each sum takes eight instructions
// instead of two. The loop has 43 instead of 25 and waits for results, not for the divider.
#pragma once

#include <type_traits>

#include "../01_omp_simd.hpp"

namespace nbody {

class Mixed : public OmpSimd {
 public:
  using OmpSimd::OmpSimd;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    const real *mass = bodies.mass.data(), *qx = bodies.qx.data();
    const real *qy = bodies.qy.data(), *qz = bodies.qz.data();
    for (std::size_t i = 0; i < n; ++i) {
      const real x = qx[i], y = qy[i], z = qz[i];
      Wide ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
      for (std::size_t j = 0; j < n; ++j) {
        const real dx = qx[j] - x;
        const real dy = qy[j] - y;
        const real dz = qz[j] - z;
        const real r2 = dx * dx + dy * dy + dz * dz + softening2;
        const real weight = r2 > 0 ? mass[j] / (r2 * std::sqrt(r2)) : 0;
        ax += Wide(weight * dx);
        ay += Wide(weight * dy);
        az += Wide(weight * dz);
      }
      acceleration.x[i] = G * real(ax);
      acceleration.y[i] = G * real(ay);
      acceleration.z[i] = G * real(az);
    }
  }

 private:
  using Wide = std::conditional_t<std::is_floating_point_v<real>, double, real>;  // or it counts
};

}  // namespace nbody
