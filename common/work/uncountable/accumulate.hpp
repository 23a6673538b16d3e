#pragma once

#include <numeric>

#include "work/test_implementations/small.hpp"

namespace nbody {

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    q[0] = std::accumulate(q.begin(), q.end(), 0.0);  // explained: start with real(0)
  }
};

}  // namespace nbody
