#pragma once

#include "check/zoo/estimated_root.hpp"
#include "check/zoo/plain.hpp"

namespace nbody {

// The hardware's estimate of 1/sqrt without a Newton step: 12 bits, errors near 1e-3 of every pull.
// A single pair may be right by luck.
template <typename T>
class RawRsqrt : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  T inverse_distance(T r2) const override {
    return static_cast<T>(estimated_inverse_root(static_cast<float>(r2)));
  }
};

}  // namespace nbody
