#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    double sum = 0;
    for (const real& x : q) sum += x;  // explained: double is not real here
    q[0] = sum;
  }
};

}  // namespace nbody
