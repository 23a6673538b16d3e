#pragma once

#include "cuda/on_cpu/half.hpp"

// Replaces CUDA's <cuda_fp16.h>: 16-bit numbers with 11 bits of mantissa.
struct half {
  std::uint16_t bits;
};
struct half2 {
  half x, y;
};

inline float __half2float(half h) { return nbody::half_of_bits(h.bits); }
inline half __float2half_rn(float x) { return {nbody::bits_of_half(x)}; }
inline half2 __floats2half2_rn(float x, float y) {
  return {__float2half_rn(x), __float2half_rn(y)};
}
