#pragma once

#include <cmath>
#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// One root saves a multiplication: 1/sqrt(r2*r2*r2). The sixth power of a distance below 5e-7 is
// subnormal or zero in float, so close pairs go wrong. In double it is right.
template <typename T>
class DistanceSixth : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::G;
  using Plain<T>::offset;
  using Plain<T>::softening2;

  Triple<T> pull(std::size_t i, std::size_t j) const override {
    const Triple<T> d = offset(i, j);
    const T r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening2;
    return d * (G * bodies.mass[j] / std::sqrt(r2 * r2 * r2));
  }
};

}  // namespace nbody
