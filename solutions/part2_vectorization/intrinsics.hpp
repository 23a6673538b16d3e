#pragma once

#include "newton.hpp"
#include "pull_on_row.hpp"

namespace nbody {

// Exhibit: newton in the processor's own words.
// Problem: what does xsimd do, and what does it spare?
// Idea: an intrinsic for each operation of newton; each is one instruction. The name says width,
// operation and type: _mm512_fmadd_ps is an fma of 512 bits of packed single precision.
// Predicted: newton, or up to 17/16 of it: AVX-512 can mask the product instead of selecting from
// it, which is one slot of 17. Measured: 0.98 x; with AVX2 1.09 x.
// What xsimd spares: writing the loop again for each instruction set and for double. pull_on_row()
// has float for AVX-512 and AVX2; for all else this rung is newton.
// Changed: the loop over j is pull_on_row().
class Intrinsics : public Newton {
 public:
  using Newton::Newton;

  void compute_accelerations() override { compute(x, y, z, mass); }

 private:
  template <typename Numbers>
  void compute(const Numbers& x, const Numbers& y, const Numbers& z, const Numbers& mass) {
    if constexpr (PullIsWrittenFor<typename Numbers::value_type>) {
      pad();
      const real factor = G * real(missing_factor);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto [ax, ay, az] = pull_on_row(i, padded_size(), x.data(), y.data(), z.data(),
                                              mass.data(), softening * softening);
        acceleration.x[i] = factor * ax;
        acceleration.y[i] = factor * ay;
        acceleration.z[i] = factor * az;
      }
    } else {
      Newton::compute_accelerations();
    }
  }
};

}  // namespace nbody
