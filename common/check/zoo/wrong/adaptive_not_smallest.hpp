#pragma once

#include <limits>

#include "check/zoo/plain.hpp"

namespace nbody {

// The adaptive step is that of body 0, not the smallest of all bodies: the minimum is missing.
template <typename T>
class AdaptiveNotSmallest : public Plain<T> {
 public:
  using Plain<T>::Plain;

  T largest_time_step() override {
    return bodies.size() < 2 ? std::numeric_limits<T>::infinity() : time_step_of(0);
  }

 protected:
  using Plain<T>::bodies;
  using Plain<T>::time_step_of;
};

}  // namespace nbody
