#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    const float* x = q.data();  // explained: float* is not real* here
    q[0] = x[1];
  }
};

}  // namespace nbody
