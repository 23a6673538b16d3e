#pragma once

#include "check/zoo/wrong/float_inside.hpp"

namespace nbody {

// The same as float_inside; here the default check, in float, must find it.
class FloatForReal : public FloatInside {
 public:
  using FloatInside::FloatInside;
};

}  // namespace nbody
