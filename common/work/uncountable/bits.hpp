#pragma once

#include <bit>

#include "work/test_implementations/small.hpp"

namespace nbody {

template <typename T>
class Mine : public Small<T> {
 public:
  using Small<T>::Small;
  void compute_accelerations() override {
    auto& q = this->bodies.qx;
    const auto bits = std::bit_cast<std::uint32_t>(q[0]);  // explained: the bits of T
    q[1] = std::bit_cast<float>(0x5f3759df - (bits >> 1));
  }
};

}  // namespace nbody
