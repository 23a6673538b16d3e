#pragma once

#include "omp_simd.hpp"

namespace nbody {

// Exhibit: omp_simd for all processors in one program.
// Problem: a program with AVX-512 dies on a processor without it, so this lab builds three of each
// rung, and starts the best that can run.
// Idea: target_clones. The compiler translates one function several times, and the first call
// chooses by the processor. All else, inlined functions of headers, too, is for the oldest one.
// Predicted: omp_simd, 1 x; the choice costs one jump per call, and this function has N^2 pairs.
// Measured: 0.95 x; with the attribute on the function of a row 0.92 x, of a pair 0.15 x: a clone
// is inlined nowhere, since the caller does not know which one it will be.
// Not arch=skylake-avx512: that asks for this very processor, and others get the oldest clone.
// Changed: no -march; the loops are a function with the attribute.
class TargetClones : public OmpSimd {
 public:
  using OmpSimd::OmpSimd;

  void compute_accelerations() override {
    pull(bodies.size(), G, softening * softening, bodies.mass.data(), bodies.qx.data(),
         bodies.qy.data(), bodies.qz.data(), acceleration.x.data(), acceleration.y.data(),
         acceleration.z.data());
  }

 private:
#ifdef __x86_64__
  [[gnu::target_clones("default", "avx2", "avx512f")]]
#endif
  static void
  pull(std::size_t n, real G, real softening2, const real* mass, const real* qx, const real* qy,
       const real* qz, real* all_ax, real* all_ay, real* all_az) {
    for (std::size_t i = 0; i < n; ++i) {
      const real x = qx[i], y = qy[i], z = qz[i];
      real ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
      for (std::size_t j = 0; j < n; ++j) {
        const real dx = qx[j] - x;
        const real dy = qy[j] - y;
        const real dz = qz[j] - z;
        const real r2 = dx * dx + dy * dy + dz * dz + softening2;
        const real pull = r2 > 0 ? mass[j] / (r2 * std::sqrt(r2)) : 0;
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
      }
      all_ax[i] = G * ax;
      all_ay[i] = G * ay;
      all_az[i] = G * az;
    }
  }
};

}  // namespace nbody
