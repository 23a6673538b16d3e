// Problem: root and division keep the divider busy for the whole interaction.
// Idea: the approximate reciprocal square root as it is, without newton's step.
// Predicted: refused, few_digits: 12 to 14 of a float's 24 bits are too few; 2 x.
// Measured: refused, though faster than newton. `./lab check part2 raw_rsqrt --tolerance
// approximate` accepts it: physics decides how many bits are enough.
// Why: the approximation has an error of at most 3.2e-4, with AVX-512 6e-5, its cube three times as
// much; the limit is 1e-5.
#pragma once

#include "../02_xsimd_exact.hpp"

namespace nbody {

class RawRsqrt : public XsimdExact {
 public:
  using XsimdExact::XsimdExact;

  void compute_accelerations() override {
    add_all(G, [](const Batch& mass, const Batch& r2) {
      const Batch approximation = xsimd::rsqrt(r2);
      return mass * (approximation * approximation * approximation);
    });
  }
};

}  // namespace nbody
