#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// Plain, compiled with -ffast-math: sums in any order, reciprocals instead of divisions, no NaN
// expected.
template <typename T>
class FastMath : public Plain<T> {
 public:
  using Plain<T>::Plain;
};

}  // namespace nbody
