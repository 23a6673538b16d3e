#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// Plain, compiled with -ffast-math: sums in any order, reciprocals instead of divisions, no NaN
// expected.
class FastMath : public Plain {
 public:
  using Plain::Plain;
};

}  // namespace nbody
