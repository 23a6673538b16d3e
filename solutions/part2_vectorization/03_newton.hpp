// Problem: root and division keep the divider busy for the whole interaction.
// Idea: an approximate reciprocal square root u of r2, which takes three issue slots with AVX-512,
// and one Newton step, which takes two instructions. With h = 1 - r2 u^2,
//   1/r^3 = u^3 (1 - h)^(-3/2) = u^3 (1 + 3/2 h + ...)
// and the step keeps two terms, 3/2 u^3 (2/3 + h) = 3/2 u^3 (5/3 - r2 u^2). The factor 3/2 is left
// out of the loop: the sums are multiplied by it at the end.
// Predicted: 2 x at most, assuming that the divider is busy twice as long as the ports.
// Measured: 1.22 x.
// Why: this divider is fast: the exact loop takes 8.4 cycles for 16 interactions, this one 7. On an
// Intel Xeon ./lab bound simulates 22 and 11 cycles, and the gain is 2.0 x. With
// AVX-512 u is right to 14 bits and the result to some 10^-7, otherwise to 11.6 bits and 10^-6.
#pragma once

#include "02_xsimd_exact.hpp"
#include "support/inverse_cube.hpp"

namespace nbody {

class Newton : public XsimdExact {
 public:
  using XsimdExact::XsimdExact;

  void compute_accelerations() override {
    const Batch five_thirds(real(5.0 / 3));
    add_all(G * real(in_double ? 1 : 1.5), [&](const Batch& mass, const Batch& r2) {
      const Batch u = rsqrt(r2), u2 = u * u;
      Batch inverse = u * u2 * xsimd::fnma(r2, u2, five_thirds);
      if (in_double) inverse = by_series(r2, u);  // one step is too little
      return mass * inverse;
    });
  }
};

}  // namespace nbody
