#pragma once

#include <cstring>

#include "work/test_implementations/small.hpp"

namespace nbody {

template <typename T>
class Mine : public Small<T> {
 public:
  using Small<T>::Small;
  void compute_accelerations() override {
    auto& q = this->bodies.qx;
    std::memset(&q[0], 0, sizeof(T));  // explained by g++: memset() goes past
  }
};

}  // namespace nbody
