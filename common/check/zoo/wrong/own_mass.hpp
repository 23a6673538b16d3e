#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Eq. 3 was forgotten: what is stored is the force, the acceleration times the body's own mass.
template <typename T>
class OwnMass : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;

  Triple<T> acceleration_of(std::size_t i) const override {
    return Plain<T>::acceleration_of(i) * bodies.mass[i];
  }
};

}  // namespace nbody
