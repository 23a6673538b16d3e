#pragma once

#include <cmath>

namespace nbody::machine {

// Single instructions on one number, available even in a program built for processors without them;
// `needs_for_...` says what the processor must have.
struct Scalar {
  static constexpr const char *id = "scalar", *name = "scalar", *needs = "";
  template <typename T>
  using Vector = T;

  static float root(float a) { return std::sqrt(a); }
  static double root(double a) { return std::sqrt(a); }

#if defined(__x86_64__)
  static constexpr const char *needs_for_fma = "fma", *needs_for_double_estimate = "avx512f";
  static constexpr const char *float_estimate = "rsqrtss", *double_estimate = "vrsqrt14sd";

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
#elif defined(__aarch64__)
  static constexpr const char *needs_for_fma = "", *needs_for_double_estimate = "";
  static constexpr const char *float_estimate = "frsqrte", *double_estimate = "frsqrte";

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
#else
  static constexpr const char *needs_for_fma = "", *needs_for_double_estimate = "";
  static constexpr const char *float_estimate = "", *double_estimate = "";
#endif
};

}  // namespace nbody::machine
