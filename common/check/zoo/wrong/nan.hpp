#pragma once

#include <cstddef>
#include <limits>

#include "check/zoo/plain.hpp"

namespace nbody {

// One number of all is NaN, as after 0/0 or an uninitialised read. Every comparison with NaN is
// false, so a check that asks `error > tolerance` lets it pass.
template <typename T>
class Nan : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    Plain<T>::compute_accelerations();
    const std::size_t middle = bodies.size() / 2;
    acceleration.y[middle] = std::numeric_limits<T>::quiet_NaN();
  }

 protected:
  using Plain<T>::acceleration;
  using Plain<T>::bodies;
};

}  // namespace nbody
