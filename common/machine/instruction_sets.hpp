#pragma once

#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// Instruction sets, for set.cpp. A file sees those that it is compiled for.
namespace nbody::machine {

inline bool always() { return true; }

// Single instructions on one number, available even in a program built for processors without them;
// `has_...` says whether this one has them.
struct Scalar {
  static constexpr auto runs_here = always;
  template <typename T>
  using Vector = T;

  static float root(float a) { return std::sqrt(a); }
  static double root(double a) { return std::sqrt(a); }

#if defined(__x86_64__)
  static bool has_fma() { return __builtin_cpu_supports("fma"); }
  static bool has_double_estimate() { return __builtin_cpu_supports("avx512f"); }

  // a * b + c
  static float fma(float a, float b, float c) {
    asm("vfmadd231ss %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
    return c;
  }
  static double fma(double a, double b, double c) {
    asm("vfmadd231sd %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
    return c;
  }
  // Of 1/sqrt: 12 bits of float, 14 of double.
  static float estimate(float a) {
    asm("rsqrtss %0, %0" : "+x"(a));
    return a;
  }
  static double estimate(double a) {
    asm("vrsqrt14sd %0, %0, %0" : "+x"(a));
    return a;
  }
#else
  static constexpr auto has_fma = always, has_double_estimate = always;
#endif
#if defined(__aarch64__)
  static float fma(float a, float b, float c) { return std::fma(a, b, c); }
  static double fma(double a, double b, double c) { return std::fma(a, b, c); }
  static float estimate(float a) {
    asm("frsqrte %s0, %s0" : "+w"(a));
    return a;
  }
  static double estimate(double a) {
    asm("frsqrte %d0, %d0" : "+w"(a));
    return a;
  }
#endif
};

// A vector of numbers T; g++ and clang++ have + * / for them.
template <typename T, int bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
};

template <int bytes>
struct VectorSet {
  static constexpr auto has_fma = always, has_double_estimate = always;
  template <typename T>
  using Vector = typename VectorOf<T, bytes>::type;
  using Floats = Vector<float>;
  using Doubles = Vector<double>;
};

#if defined(__x86_64__)
struct Sse2 : VectorSet<16> {
  static bool runs_here() { return __builtin_cpu_supports("sse2"); }
  static Floats root(Floats a) { return _mm_sqrt_ps(a); }
  static Doubles root(Doubles a) { return _mm_sqrt_pd(a); }
  static Floats estimate(Floats a) { return _mm_rsqrt_ps(a); }
};
#endif

#if defined(__AVX2__) && defined(__FMA__)
struct Avx2 : VectorSet<32> {
  static bool runs_here() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }
  static Floats fma(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
  static Doubles fma(Doubles a, Doubles b, Doubles c) { return _mm256_fmadd_pd(a, b, c); }
  static Floats root(Floats a) { return _mm256_sqrt_ps(a); }
  static Doubles root(Doubles a) { return _mm256_sqrt_pd(a); }
  static Floats estimate(Floats a) { return _mm256_rsqrt_ps(a); }
};
#endif

#if defined(__AVX512F__)
struct Avx512 : VectorSet<64> {
  static bool runs_here() { return __builtin_cpu_supports("avx512f"); }
  static Floats fma(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
  static Doubles fma(Doubles a, Doubles b, Doubles c) { return _mm512_fmadd_pd(a, b, c); }
  static Floats root(Floats a) { return _mm512_sqrt_ps(a); }
  static Doubles root(Doubles a) { return _mm512_sqrt_pd(a); }
  static Floats estimate(Floats a) { return _mm512_rsqrt14_ps(a); }
  static Doubles estimate(Doubles a) { return _mm512_rsqrt14_pd(a); }
};
#endif

#if defined(__aarch64__)
struct Neon : VectorSet<16> {
  static constexpr auto runs_here = always;
  static Floats fma(Floats a, Floats b, Floats c) { return vfmaq_f32(c, a, b); }
  static Doubles fma(Doubles a, Doubles b, Doubles c) { return vfmaq_f64(c, a, b); }
  static Floats root(Floats a) { return vsqrtq_f32(a); }
  static Doubles root(Doubles a) { return vsqrtq_f64(a); }
  static Floats estimate(Floats a) { return vrsqrteq_f32(a); }
  static Doubles estimate(Doubles a) { return vrsqrteq_f64(a); }
};
#endif

}  // namespace nbody::machine
