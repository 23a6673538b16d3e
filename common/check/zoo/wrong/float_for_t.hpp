#pragma once

#include "check/zoo/wrong/float_inside_double.hpp"

namespace nbody {

// The same as float_inside_double; here the default check, in float, must find it.
template <typename T>
class FloatForT : public FloatInsideDouble<T> {
 public:
  using FloatInsideDouble<T>::FloatInsideDouble;
};

}  // namespace nbody
