#pragma once

#include "../support/inverse_cube.hpp"
#include "../support/padded.hpp"

namespace nbody {

// Exhibit: what many write first.
// Problem: the sums of newton are batches, but only their totals are wanted.
// Idea: sum the lanes of every batch at once. That takes some ten instructions for each of three
// sums, each waiting for the one before: more than the interaction itself.
// Changed: the sums are single numbers; reduce_add is in the loop.
// Predicted from the ports: 0.62 x newton. Measured: 0.30 x. It waits: ./lab bound simulates 38
// cycles instead of 11.
class HorizontalSum : public Padded {
 public:
  using Padded::Padded;

  void compute_accelerations() override {
    pad();
    const real factor = G * real(missing_factor);
    const Batch softening2(softening * softening), zero(0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Batch xi(x[i]), yi(y[i]), zi(z[i]);
      real ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < padded_size(); j += lanes) {
        const Batch dx = Batch::load_aligned(&x[j]) - xi;
        const Batch dy = Batch::load_aligned(&y[j]) - yi;
        const Batch dz = Batch::load_aligned(&z[j]) - zi;
        const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
        const Batch pull = Batch::load_aligned(&mass[j]) * inverse_cube(r2);
        const Batch taken = xsimd::select(r2 > zero, pull, zero);
        ax += xsimd::reduce_add(taken * dx);
        ay += xsimd::reduce_add(taken * dy);
        az += xsimd::reduce_add(taken * dz);
      }
      acceleration.x[i] = factor * ax;
      acceleration.y[i] = factor * ay;
      acceleration.z[i] = factor * az;
    }
  }
};

}  // namespace nbody
