#pragma once

#include <xsimd/xsimd.hpp>

#include "work/test_implementations/small.hpp"

namespace nbody {

class Mine : public Small {
 public:
  using Small::Small;
  void compute_accelerations() override {
    const auto x = xsimd::batch<real>::load_unaligned(&bodies.qx[0]);
    xsimd::cbrt(x).store_unaligned(&bodies.qx[0]);  // explained: xsimd::cbrt() cannot be counted
  }
};

}  // namespace nbody
