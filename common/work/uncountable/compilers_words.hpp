#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

template <typename T>
struct Words {};
template <>
struct Words<float> {
  using Word = unsigned;
};

template <typename T>
class Mine : public Small<T> {
 public:
  using Small<T>::Small;
  void compute_accelerations() override {
    auto& q = this->bodies.qx;
    using Word = typename Words<T>::Word;  // explained: does not compile for T
    q[0] = T(sizeof(Word));
  }
};

}  // namespace nbody
