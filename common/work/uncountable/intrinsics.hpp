#pragma once

#include <immintrin.h>

#include "work/test_implementations/small.hpp"

namespace nbody {

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    auto& q = bodies.qx;
    const __m128 x = _mm_loadu_ps(&q[0]);  // explained: intrinsics take
    _mm_storeu_ps(&q[0], _mm_rsqrt_ps(x));
  }
};

}  // namespace nbody
