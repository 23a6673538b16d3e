#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

inline float squared(float x) { return x * x; }

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    q[1] = squared(q[0]);  // explained: float is not real here
  }
};

}  // namespace nbody
