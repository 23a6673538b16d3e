#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    const float x = q[0] * q[1];  // explained: float is not real here
    q[2] = x;
  }
};

}  // namespace nbody
