#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// dy is q_i - q_j, dx and dz are q_j - q_i.
template <typename T>
class WrongSign : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    Plain<T>::compute_accelerations();
    for (T& y : acceleration.y) y = -y;
  }

 protected:
  using Plain<T>::acceleration;
};

}  // namespace nbody
