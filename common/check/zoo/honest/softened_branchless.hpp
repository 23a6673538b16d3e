#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// With softening a body may pull itself: the offset is zero, and eps keeps the distance positive.
// Without, the test stays.
template <typename T>
class SoftenedBranchless : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;
  using Plain<T>::softening2;

  Triple<T> acceleration_of(std::size_t i) const override {
    if (softening2 == T(0)) return Plain<T>::acceleration_of(i);
    Triple<T> sum;
    for (std::size_t j = 0; j < bodies.size(); ++j) sum += pull(i, j);
    return sum;
  }
};

}  // namespace nbody
