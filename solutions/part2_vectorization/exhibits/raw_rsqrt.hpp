// Problem: root and division keep the divider busy for the whole interaction.
// Idea: the approximate reciprocal square root as it is, without newton's step.
// Predicted: refused, few_digits: 12 to 14 of a float's 24 bits are too few; 2 x.
// Measured: refused, though faster than newton. `./lab check part2 raw_rsqrt --tolerance
// approximate` accepts it: physics decides how many bits are enough.
// Why: the approximation has an error
// of at most 6e-5, its cube three times as much; the limit is 1e-5.
#pragma once

#include "../support/padded.hpp"

namespace nbody {

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
        const Batch weight = Batch::load_aligned(&mass[j]) * (estimate * estimate * estimate);
        const Batch taken = xsimd::select(r2 > zero, weight, zero);
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
