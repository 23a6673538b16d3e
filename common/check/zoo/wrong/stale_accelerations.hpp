#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// The accelerations of the first step are kept for ever, as when the hotspot is called outside the
// loop. One step is right.
template <typename T>
class StaleAccelerations : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    if (!computed) Plain<T>::compute_accelerations();
    computed = true;
  }

 private:
  bool computed = false;
};

}  // namespace nbody
