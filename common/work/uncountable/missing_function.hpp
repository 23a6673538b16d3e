#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

template <typename T>
class Mine : public Small<T> {
 public:
  using Small<T>::Small;
  void compute_accelerations() override {
    auto& q = this->bodies.qx;
    q[1] = std::atan2(q[0], q[2]);  // explained: std::atan2() is not counted
  }
};

}  // namespace nbody
