#pragma once

#include "simulator/half.hpp"

namespace nbody {

// hi + lo: 22 digits, which fit into a float.
inline float rounded_to_two_halves(float x) {
  const float hi = rounded_to_half(x);
  return hi + rounded_to_half(x - hi);
}

}  // namespace nbody
