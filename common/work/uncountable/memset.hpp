#pragma once

#include <cstring>

#include "work/test_implementations/small.hpp"

namespace nbody {

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    std::memset(&q[0], 0, sizeof(real));  // explained by g++: memset() bypasses
  }
};

}  // namespace nbody
