#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    std::vector<float> copy;
    for (const real& x : q) copy.push_back(x);  // explained: float is not real here
    q[0] = copy[1];
  }
};

}  // namespace nbody
