#pragma once

#include "../support/padded.hpp"

namespace nbody {

// Exhibit: newton without the Newton step, fast and wrong.
// Problem: root and division keep their unit busy for the whole interaction.
// Idea: the estimate of 1/sqrt as it is, with 12 to 14 of a float's 24 bits.
// Changed: pull.
// Predicted: 2 x xsimd_exact. Measured: 2.30 x, but physics decides whether the bits are enough:
// `standard` rejects it, `./lab check part2 raw_rsqrt --tolerance approximate` accepts it.
class RawRsqrt : public Padded {
 public:
  using Padded::Padded;

  void compute_accelerations() override {
    pad();
    const Batch softening2(softening * softening), zero(0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Batch xi(x[i]), yi(y[i]), zi(z[i]);
      Batch ax(0), ay(0), az(0);
      for (std::size_t j = 0; j < padded_size(); j += lanes) {
        const Batch dx = Batch::load_aligned(&x[j]) - xi;
        const Batch dy = Batch::load_aligned(&y[j]) - yi;
        const Batch dz = Batch::load_aligned(&z[j]) - zi;
        const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
        const Batch estimate = xsimd::rsqrt(r2);
        const Batch pull = Batch::load_aligned(&mass[j]) * (estimate * estimate * estimate);
        const Batch taken = xsimd::select(r2 > zero, pull, zero);
        ax = xsimd::fma(taken, dx, ax);
        ay = xsimd::fma(taken, dy, ay);
        az = xsimd::fma(taken, dz, az);
      }
      acceleration.x[i] = G * xsimd::reduce_add(ax);
      acceleration.y[i] = G * xsimd::reduce_add(ay);
      acceleration.z[i] = G * xsimd::reduce_add(az);
    }
  }
};

}  // namespace nbody
