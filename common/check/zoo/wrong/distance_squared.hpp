#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// d / r^2 for d / r^3: the vector to the other body is taken for a unit vector.
template <typename T>
class DistanceSquared : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::G;
  using Plain<T>::bodies;
  using Plain<T>::offset;
  using Plain<T>::softening2;

  Triple<T> pull(std::size_t i, std::size_t j) const override {
    const Triple<T> d = offset(i, j);
    return d * (G * bodies.mass[j] / (d.x * d.x + d.y * d.y + d.z * d.z + softening2));
  }
};

}  // namespace nbody
