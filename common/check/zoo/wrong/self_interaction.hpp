#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// A body pulls itself: 0/0, unless softening makes it 0/eps. It comes from codes that are always
// softened.
template <typename T>
class SelfInteraction : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;

  Triple<T> acceleration_of(std::size_t i) const override {
    Triple<T> sum;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      sum += pull(i, j);
    }
    return sum;
  }
};

}  // namespace nbody
