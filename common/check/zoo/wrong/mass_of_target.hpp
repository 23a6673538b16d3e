#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The mass of the target stands where the mass of the source belongs. Bodies of equal mass hide it.
template <typename T>
class MassOfTarget : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::field;

  Triple<T> pull(std::size_t i, std::size_t j) const override {
    return field(i, j) * bodies.mass[i];
  }
};

}  // namespace nbody
