#pragma once

#include <xsimd/xsimd.hpp>

#include "work/test_implementations/small.hpp"

namespace nbody {

template <typename T>
class Mine : public Small<T> {
 public:
  using Small<T>::Small;
  void compute_accelerations() override {
    const auto x = xsimd::batch<T>::load_unaligned(&this->bodies.qx[0]);
    xsimd::cbrt(x).store_unaligned(&this->bodies.qx[0]);  // explained: xsimd::cbrt() is not counted
  }
};

}  // namespace nbody
