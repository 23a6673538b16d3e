#pragma once

#include <cstddef>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "../03_newton.hpp"

namespace nbody {

struct Pull {
  float x, y, z;
};

#if defined(__AVX512F__)
// What all bodies, padded to whole batches of 16, pull on body i; without the factor 3/2 G.
inline Pull pull_on_row(std::size_t i, std::size_t padded_size, const float* x, const float* y,
                        const float* z, const float* mass, float softening2) {
  const __m512 xi = _mm512_set1_ps(x[i]), yi = _mm512_set1_ps(y[i]), zi = _mm512_set1_ps(z[i]);
  const __m512 five_thirds = _mm512_set1_ps(5.0F / 3), soft = _mm512_set1_ps(softening2);
  __m512 ax = _mm512_setzero_ps(), ay = ax, az = ax;
  for (std::size_t j = 0; j < padded_size; j += 16) {
    const __m512 dx = _mm512_sub_ps(_mm512_load_ps(&x[j]), xi);
    const __m512 dy = _mm512_sub_ps(_mm512_load_ps(&y[j]), yi);
    const __m512 dz = _mm512_sub_ps(_mm512_load_ps(&z[j]), zi);
    const __m512 r2 =
        _mm512_fmadd_ps(dx, dx, _mm512_fmadd_ps(dy, dy, _mm512_fmadd_ps(dz, dz, soft)));
    const __m512 root = _mm512_rsqrt14_ps(r2);
    const __m512 root2 = _mm512_mul_ps(root, root);
    const __m512 better = _mm512_fnmadd_ps(r2, root2, five_thirds);
    const __m512 inverse = _mm512_mul_ps(_mm512_mul_ps(root, root2), better);
    // i = j: a mask has a bit for each lane, and a masked instruction leaves 0 where it is not set.
    const __mmask16 other = _mm512_cmp_ps_mask(r2, _mm512_setzero_ps(), _CMP_GT_OQ);
    const __m512 pull = _mm512_maskz_mul_ps(other, _mm512_load_ps(&mass[j]), inverse);
    ax = _mm512_fmadd_ps(pull, dx, ax);
    ay = _mm512_fmadd_ps(pull, dy, ay);
    az = _mm512_fmadd_ps(pull, dz, az);
  }
  // No instruction: the compiler makes several of it.
  return {_mm512_reduce_add_ps(ax), _mm512_reduce_add_ps(ay), _mm512_reduce_add_ps(az)};
}

#elif defined(__AVX2__) && defined(__FMA__)
// Halves the number of lanes until one is left.
inline float sum_of_lanes(__m256 lanes) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

// The same in batches of 8.
inline Pull pull_on_row(std::size_t i, std::size_t padded_size, const float* x, const float* y,
                        const float* z, const float* mass, float softening2) {
  const __m256 xi = _mm256_set1_ps(x[i]), yi = _mm256_set1_ps(y[i]), zi = _mm256_set1_ps(z[i]);
  const __m256 five_thirds = _mm256_set1_ps(5.0F / 3), soft = _mm256_set1_ps(softening2);
  __m256 ax = _mm256_setzero_ps(), ay = ax, az = ax;
  for (std::size_t j = 0; j < padded_size; j += 8) {
    const __m256 dx = _mm256_sub_ps(_mm256_load_ps(&x[j]), xi);
    const __m256 dy = _mm256_sub_ps(_mm256_load_ps(&y[j]), yi);
    const __m256 dz = _mm256_sub_ps(_mm256_load_ps(&z[j]), zi);
    const __m256 r2 =
        _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_fmadd_ps(dz, dz, soft)));
    const __m256 root = _mm256_rsqrt_ps(r2);  // 12 bits
    const __m256 root2 = _mm256_mul_ps(root, root);
    const __m256 better = _mm256_fnmadd_ps(r2, root2, five_thirds);
    const __m256 inverse = _mm256_mul_ps(_mm256_mul_ps(root, root2), better);
    // i = j: a comparison gives lanes of all ones or all zeros, so `and` selects.
    const __m256 other = _mm256_cmp_ps(r2, _mm256_setzero_ps(), _CMP_GT_OQ);
    const __m256 pull = _mm256_and_ps(other, _mm256_mul_ps(_mm256_load_ps(&mass[j]), inverse));
    ax = _mm256_fmadd_ps(pull, dx, ax);
    ay = _mm256_fmadd_ps(pull, dy, ay);
    az = _mm256_fmadd_ps(pull, dz, az);
  }
  return {sum_of_lanes(ax), sum_of_lanes(ay), sum_of_lanes(az)};
}

#endif

// For this number and this instruction set.
template <typename Number>
concept PullIsWrittenFor = requires(const Number* p) {
  pull_on_row(0, 0, p, p, p, p, 0);
};

// Exhibit: newton in the processor's own words.
// Problem: what does xsimd do, and what does it spare?
// Idea: an intrinsic for each operation of newton; each is one instruction. The name says width,
// operation and type: _mm512_fmadd_ps is an fma of 512 bits of packed single precision.
// Predicted: newton, or up to 17/16 of it: AVX-512 can mask the product instead of selecting from
// it, which is one slot of 17. Measured: 0.98 x; with AVX2 1.09 x.
// What xsimd spares: writing the loop again for each instruction set and for double. pull_on_row()
// has float for AVX-512 and AVX2; for all else this rung is newton.
// Changed: the loop over j is pull_on_row().
class Intrinsics : public Newton {
 public:
  using Newton::Newton;

  void compute_accelerations() override { compute(x, y, z, mass); }

 private:
  template <typename Numbers>
  void compute(const Numbers& x, const Numbers& y, const Numbers& z, const Numbers& mass) {
    if constexpr (PullIsWrittenFor<typename Numbers::value_type>) {
      pad();
      const real factor = G * real(missing_factor);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto [ax, ay, az] = pull_on_row(i, padded_size(), x.data(), y.data(), z.data(),
                                              mass.data(), softening * softening);
        acceleration.x[i] = factor * ax;
        acceleration.y[i] = factor * ay;
        acceleration.z[i] = factor * az;
      }
    } else {
      Newton::compute_accelerations();
    }
  }
};

}  // namespace nbody
