#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The sums start from the accelerations of the step before instead of zero. One evaluation is
// right.
template <typename T>
class NotReset : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    for (std::size_t i = 0; i < bodies.size(); ++i) add_acceleration(i, acceleration_of(i));
  }

 protected:
  using Plain<T>::acceleration_of;
  using Plain<T>::add_acceleration;
  using Plain<T>::bodies;
};

}  // namespace nbody
