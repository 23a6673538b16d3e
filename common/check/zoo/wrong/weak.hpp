#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Every acceleration is 10 % too small, as with a constant typed in wrong. Directions are right, so
// pictures look right.
template <typename T>
class Weak : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  Triple<T> acceleration_of(std::size_t i) const override {
    return Plain<T>::acceleration_of(i) * T(0.9);
  }
};

}  // namespace nbody
