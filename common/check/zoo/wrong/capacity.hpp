#pragma once

#include <algorithm>
#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Sources are held in an array of 4096, and what does not fit is dropped in silence. Every smaller
// problem is right.
template <typename T>
class Capacity : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;

  Triple<T> acceleration_of(std::size_t i) const override {
    const std::size_t held = std::min<std::size_t>(bodies.size(), 4096);
    Triple<T> sum;
    for (std::size_t j = 0; j < held; ++j) {
      if (j != i) sum += pull(i, j);
    }
    return sum;
  }
};

}  // namespace nbody
