#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

// Replaces CUDA's <cuda_fp16.h>: 16-bit numbers with 11 bits of mantissa. By hand, since g++ 11 has
// no _Float16. The factor 2^112 maps the exponent of a half to that of a float, and subnormal
// numbers to subnormal ones.
struct half {
  std::uint16_t bits;
};
struct half2 {
  half x, y;
};

inline float __half2float(half h) {
  const std::uint32_t digits = (h.bits & 0x7fffu) << 13;
  const float size = std::bit_cast<float>(digits) * 0x1p112f;
  const bool finite = digits < 0x7c00u << 13;
  return std::copysign(finite ? size : std::bit_cast<float>(digits | 0x7f800000u),
                       h.bits & 0x8000u ? -1.0f : 1.0f);
}

// The nearest half, ties to even. The last digit of 1.5 * 2^13 times the size of x, as a float, has
// the weight of the half's last digit: adding x rounds it there.
inline half __float2half_rn(float x) {
  const std::uint32_t sign = std::bit_cast<std::uint32_t>(x) >> 16 & 0x8000u;
  std::uint32_t digits = std::isnan(x) ? 0x7e00u : 0x7c00u;
  if (std::abs(x) < 65520) {
    const auto exponent_alone = std::bit_cast<std::uint32_t>(x) & 0x7f800000u;
    const float shift = 0x1.8p13f * std::max(std::bit_cast<float>(exponent_alone), 0x1p-14f);
    const float rounded = (std::abs(x) + shift) - shift;
    digits = std::bit_cast<std::uint32_t>(rounded * 0x1p-112f) >> 13;
  }
  return {static_cast<std::uint16_t>(sign | digits)};
}
inline half2 __floats2half2_rn(float x, float y) {
  return {__float2half_rn(x), __float2half_rn(y)};
}
