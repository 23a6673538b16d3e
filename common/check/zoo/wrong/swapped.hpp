#pragma once

#include <cstddef>
#include <utility>

#include "check/zoo/plain.hpp"

namespace nbody {

// Two bodies in the middle get each other's acceleration, as after a sort that was not undone
// everywhere. Sums, momentum and the set of values are all right.
template <typename T>
class Swapped : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    Plain<T>::compute_accelerations();
    if (bodies.size() < 2) return;
    const std::size_t i = bodies.size() / 2;
    std::swap(acceleration.x[i], acceleration.x[i - 1]);
    std::swap(acceleration.y[i], acceleration.y[i - 1]);
    std::swap(acceleration.z[i], acceleration.z[i - 1]);
  }

 protected:
  using Plain<T>::acceleration;
  using Plain<T>::bodies;
};

}  // namespace nbody
