#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace nbody {

constexpr float largest_half = 65504;

// The nearest half: 11 binary digits, ties to even, subnormal below 2^-14. By hand, since g++ 11
// has no _Float16. The last digit of 1.5 * 2^13 times the size of x, as a float, has the weight of
// the half's last digit: adding x rounds it there.
inline float rounded_to_half(float x) {
  const auto exponent_alone = std::bit_cast<std::uint32_t>(x) & 0x7f800000u;
  const float size = std::max(std::bit_cast<float>(exponent_alone), 0x1p-14f);
  const float shift = 1.5f * 0x1p13f * size;
  const float rounded = (x + shift) - shift;
  if (std::abs(rounded) <= largest_half) return std::copysign(rounded, x);
  return std::isnan(x) ? x : std::copysign(std::numeric_limits<float>::infinity(), x);
}

// To the 16 bits of a half, sign first, and back. The factor 2^-112 maps the exponent of a float to
// that of a half, and subnormal numbers to subnormal ones.
inline std::uint16_t bits_of_half(float x) {
  const float half = rounded_to_half(x);
  const std::uint32_t sign = std::bit_cast<std::uint32_t>(half) >> 16 & 0x8000u;
  if (!(std::abs(half) <= largest_half)) {
    return static_cast<std::uint16_t>(sign | (std::isnan(half) ? 0x7e00u : 0x7c00u));
  }
  const auto bits = std::bit_cast<std::uint32_t>(std::abs(half) * 0x1p-112f);
  return static_cast<std::uint16_t>(sign | bits >> 13);
}
inline float half_of_bits(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, digits = bits & 0x7fffu;
  if (digits > 0x7c00u) return std::numeric_limits<float>::quiet_NaN();
  const float size = digits == 0x7c00u ? std::numeric_limits<float>::infinity()
                                       : std::bit_cast<float>(digits << 13) * 0x1p112f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(size) | sign);
}

}  // namespace nbody
