#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The sum runs from the last source to the first: other rounding errors, the same physics.
template <typename T>
class ReversedOrder : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;

  Triple<T> acceleration_of(std::size_t i) const override {
    Triple<T> sum;
    for (std::size_t j = bodies.size(); j-- > 0;) {
      if (j != i) sum += pull(i, j);
    }
    return sum;
  }
};

}  // namespace nbody
