#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// The line for y was copied and one letter was forgotten: z takes the value of y.
template <typename T>
class SingleAxis : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    Plain<T>::compute_accelerations();
    acceleration.z = acceleration.y;
  }

 protected:
  using Plain<T>::acceleration;
};

}  // namespace nbody
