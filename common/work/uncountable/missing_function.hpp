#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    q[1] = std::atan2(q[0], q[2]);  // explained: std::atan2() cannot be counted
  }
};

}  // namespace nbody
