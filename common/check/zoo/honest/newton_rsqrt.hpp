#pragma once

#include <limits>

#include "check/zoo/estimated_root.hpp"
#include "check/zoo/plain.hpp"

namespace nbody {

// The hardware's 12 bits of 1/sqrt and Newton steps, each doubling the right bits: one for float,
// three for double.
template <typename T>
class NewtonRsqrt : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  T inverse_distance(T r2) const override {
    constexpr int newton_steps = std::numeric_limits<T>::digits <= 24 ? 1 : 3;
    T y = static_cast<T>(estimated_inverse_root(static_cast<float>(r2)));
    for (int step = 0; step < newton_steps; ++step) y *= T(1.5) - T(0.5) * r2 * y * y;
    return y;
  }
};

}  // namespace nbody
