#pragma once

#include "simulator/half.hpp"

namespace nbody {

// hi + lo: 22 digits, and a float holds them.
inline float rounded_to_two_halves(float x) {
  const float hi = rounded_to_half(x);
  return hi + rounded_to_half(x - hi);
}

}  // namespace nbody
