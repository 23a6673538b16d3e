#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace nbody::check {

// 1/sqrt(x) to about 12 bits, as the rsqrt instruction gives it.
#ifdef __SSE__
inline float estimated_inverse_root(float x) { return _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(x))); }
#else
inline float estimated_inverse_root(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(1.0f / std::sqrt(x));
  return std::bit_cast<float>(bits & 0xfffff000u);
}
#endif

}  // namespace nbody::check
