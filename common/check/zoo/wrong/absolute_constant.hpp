#pragma once

#include <cmath>
#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// No test for i == j, but a constant against 0/0: another length in every system of units.
template <typename T>
class AbsoluteConstant : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;

  Triple<T> acceleration_of(std::size_t i) const override {
    Triple<T> sum;
    for (std::size_t j = 0; j < bodies.size(); ++j) sum += pull(i, j);
    return sum;
  }
  T inverse_distance(T r2) const override { return T(1) / std::sqrt(r2 + T(1e-20)); }
};

}  // namespace nbody
