#pragma once

#include "work/test_implementations/small.hpp"

namespace nbody {

template <typename Number>
struct Words {};
template <>
struct Words<float> {
  using Word = unsigned;
};

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    using Word = Words<real>::Word;  // explained: does not compile for real
    q[0] = real(sizeof(Word));
  }
};

}  // namespace nbody
