#pragma once

#include <algorithm>

#include "check/zoo/plain.hpp"

namespace nbody {

// z is never summed.
template <typename T>
class AxisForgotten : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    Plain<T>::compute_accelerations();
    std::fill(acceleration.z.begin(), acceleration.z.end(), T(0));
  }

 protected:
  using Plain<T>::acceleration;
};

}  // namespace nbody
