#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

template <typename T>
class Mine : public Small<T> {
 public:
  using Small<T>::Small;
  void compute_accelerations() override {
    auto& q = this->bodies.qx;
    std::vector<float> copy;
    for (const T& x : q) copy.push_back(x);  // explained: float is no T here
    q[0] = copy[1];
  }
};

}  // namespace nbody
