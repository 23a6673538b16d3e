#pragma once

#include <cstddef>
#include <limits>

#include "check/zoo/plain.hpp"

namespace nbody {

// One number of all is infinite, as after a division by a distance that became zero.
template <typename T>
class Infinite : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    Plain<T>::compute_accelerations();
    const std::size_t middle = bodies.size() / 2;
    acceleration.z[middle] = std::numeric_limits<T>::infinity();
  }

 protected:
  using Plain<T>::acceleration;
  using Plain<T>::bodies;
};

}  // namespace nbody
