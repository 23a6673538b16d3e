#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

// Found in the place of CUDA's own <cuda_fp16.h>: numbers of 16 bits, 11 of them for digits.
struct half {
  std::uint16_t bits;
};
struct half2 {
  half x, y;
};

inline float __half2float(half h) {
  const int exponent = h.bits >> 10 & 31;
  const float digits = static_cast<float>(h.bits & 1023);
  const float sign = (h.bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return digits > 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(digits, -24);
  return sign * std::ldexp(1024 + digits, exponent - 25);
}

// To the nearest half, and to the even one of two: nearbyint() of units of the last digit.
inline half __float2half_rn(float x) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
  const auto with_sign = [&](unsigned bits) {
    return half{static_cast<std::uint16_t>(sign | bits)};
  };
  const float size = std::fabs(x);
  if (!(size < 65520.0f)) return with_sign(std::isnan(x) ? 0x7e00 : 0x7c00);
  const int exponent = size < 0x1p-14f ? -14 : std::ilogb(size);
  const auto units = static_cast<unsigned>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  // A carry out of the digits makes the exponent one larger, as it should.
  return with_sign((static_cast<unsigned>(exponent + 14) << 10) + units);
}
inline half2 __floats2half2_rn(float x, float y) {
  return {__float2half_rn(x), __float2half_rn(y)};
}
