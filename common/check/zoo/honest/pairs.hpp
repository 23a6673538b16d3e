#pragma once

#include <cstddef>
#include <limits>

#include "check/mistakes/estimated_root.hpp"
#include "check/zoo/plain.hpp"

namespace nbody {

// The same sum; each pair is computed in another way.

// The hardware's 12 bits of 1/sqrt and Newton steps, each doubling the right bits: one for float,
// three for double.
class NewtonRsqrt : public Plain {
 public:
  using Plain::Plain;

 protected:
  real inverse_distance(real r2) const override {
    constexpr int newton_steps = std::numeric_limits<real>::digits <= 24 ? 1 : 3;
    real y = static_cast<real>(check::estimated_inverse_root(static_cast<float>(r2)));
    for (int step = 0; step < newton_steps; ++step) y *= real(1.5) - real(0.5) * r2 * y * y;
    return y;
  }
};

}  // namespace nbody
