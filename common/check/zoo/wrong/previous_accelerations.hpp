#pragma once

#include <utility>

#include "check/zoo/plain.hpp"

namespace nbody {

// Two buffers of accelerations, and the update reads the wrong one: that of the step before. What
// is asked for as accelerations is right, and so is the first step.
template <typename T>
class PreviousAccelerations : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    previous = acceleration;
    Plain<T>::compute_accelerations();
    if (first) previous = acceleration;
    first = false;
  }

  void update_bodies(T dt) override {
    std::swap(acceleration, previous);
    Plain<T>::update_bodies(dt);
    std::swap(acceleration, previous);
  }

 protected:
  using Plain<T>::acceleration;

 private:
  bool first = true;
  Vectors<T> previous;
};

}  // namespace nbody
