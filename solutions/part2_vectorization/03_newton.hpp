#pragma once

#include "support/inverse_cube.hpp"
#include "support/padded.hpp"

namespace nbody {

// Problem: root and division keep their unit busy for the whole interaction.
// Idea: an estimate of 1/sqrt, which takes three slots of the ports with AVX-512, plus one Newton
// step in two more instructions.
// Changed: pull.
// Predicted: below 2 x xsimd_exact, taking the divider for twice as busy as the ports. Measured:
// 2.16 x. It is busy for 22 cycles of a step; newton takes 11.
class Newton : public Padded {
 public:
  using Padded::Padded;

  void compute_accelerations() override {
    pad();
    const real factor = G * real(missing_factor);
    const Batch softening2(softening * softening), zero(0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Batch xi(x[i]), yi(y[i]), zi(z[i]);
      Batch ax(0), ay(0), az(0);
      for (std::size_t j = 0; j < padded_size(); j += lanes) {
        const Batch dx = Batch::load_aligned(&x[j]) - xi;
        const Batch dy = Batch::load_aligned(&y[j]) - yi;
        const Batch dz = Batch::load_aligned(&z[j]) - zi;
        const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
        const Batch pull = Batch::load_aligned(&mass[j]) * inverse_cube(r2);
        const Batch taken = xsimd::select(r2 > zero, pull, zero);
        ax = xsimd::fma(taken, dx, ax);
        ay = xsimd::fma(taken, dy, ay);
        az = xsimd::fma(taken, dz, az);
      }
      acceleration.x[i] = factor * xsimd::reduce_add(ax);
      acceleration.y[i] = factor * xsimd::reduce_add(ay);
      acceleration.z[i] = factor * xsimd::reduce_add(az);
    }
  }
};

}  // namespace nbody
