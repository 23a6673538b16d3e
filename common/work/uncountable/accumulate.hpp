#pragma once

#include <numeric>

#include "work/test_implementations/small.hpp"

namespace nbody {

template <typename T>
class Mine : public Small<T> {
 public:
  using Small<T>::Small;
  void compute_accelerations() override {
    auto& q = this->bodies.qx;
    q[0] = std::accumulate(q.begin(), q.end(), 0.0);  // explained: start with T(0)
  }
};

}  // namespace nbody
