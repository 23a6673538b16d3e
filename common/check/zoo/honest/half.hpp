#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace nbody {

constexpr float largest_half = 65504;

// The nearest half: 11 binary digits, ties to even, subnormal below 2^-14. By hand, since g++ 11
// has no _Float16. A float of 1.5 * 2^13 times the size of x has its last digit where the half has
// its own: what is added to it, is rounded there.
inline float rounded_to_half(float x) {
  const auto exponent_alone = std::bit_cast<std::uint32_t>(x) & 0x7f800000u;
  const float size = std::max(std::bit_cast<float>(exponent_alone), 0x1p-14f);
  const float shift = 1.5f * 0x1p13f * size;
  const float rounded = (x + shift) - shift;
  if (std::abs(rounded) <= largest_half) return rounded;
  return std::isnan(x) ? x : std::copysign(std::numeric_limits<float>::infinity(), x);
}

// hi + lo: 22 digits, and a float holds them.
inline float rounded_to_two_halves(float x) {
  const float hi = rounded_to_half(x);
  return hi + rounded_to_half(x - hi);
}

}  // namespace nbody
