#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

template <typename T>
class Mine : public Small<T> {
 public:
  using Small<T>::Small;
  void compute_accelerations() override {
    auto& q = this->bodies.qx;
    const int cell = int(q[0] * 8);  // explained: a cast to int
    q[1] = cell;
  }
};

}  // namespace nbody
