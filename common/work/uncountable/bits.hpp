#pragma once

#include <bit>

#include "work/test_implementations/small.hpp"

namespace nbody {

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    const auto bits = std::bit_cast<std::uint32_t>(q[0]);  // explained: real does not have the bits
    q[1] = std::bit_cast<float>(0x5f3759df - (bits >> 1));
  }
};

}  // namespace nbody
