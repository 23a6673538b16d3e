#pragma once

#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "simulator/real.hpp"

namespace nbody {

using Batch = xsimd::batch<real>;

// 1/r^3 from r^2, without root or division: y = rsqrt(r2) is an estimate of 12 to 14 bits, and
//   h = 1 - r2 y^2,   1/r^3 = y^3 (1 - h)^(-3/2) = y^3 (1 + 3/2 h + 15/8 h^2 + 35/16 h^3 + ...).

// NEON's estimate has only 8 bits, so the usual Newton step, y (3 - r2 y^2) / 2, comes first.
inline Batch inverse_root(const Batch& r2) {
  const Batch y = xsimd::rsqrt(r2);
  if (!std::is_base_of_v<xsimd::neon, Batch::arch_type>) return y;
  return y * Batch(real(0.5)) * xsimd::fnma(r2 * y, y, Batch(3));
}

// float: 2/3 of 1/r^3. One Newton step is the series up to h; the factor 3/2 is applied after the
// sum: y^3 (2/3 + h) = y^3 (5/3 - r2 y^2). Error: some 10^-7, and 10^-6 from 12 bits.
inline Batch by_newton_step(const Batch& r2, const Batch& y) {
  const Batch y2 = y * y;
  return y * y2 * xsimd::fnma(r2, y2, Batch(real(5.0 / 3)));
}

// double: the series up to h^5. h is 7e-4 at most, so the omitted terms are below 10^-15.
inline Batch by_series(const Batch& r2, const Batch& y) {
  const Batch y2 = y * y;
  const Batch y3 = y * y2;
  const Batch h = xsimd::fnma(r2, y2, Batch(1));
  Batch series(real(693.0 / 256));
  for (const double factor : {315.0 / 128, 35.0 / 16, 15.0 / 8, 3.0 / 2}) {
    series = xsimd::fma(series, h, Batch(real(factor)));
  }
  return xsimd::fma(y3 * h, series, y3);
}

// The factor that inverse_cube() leaves out; the sums of pulls are multiplied by it at the end.
constexpr double missing_factor = in_double ? 1 : 1.5;

inline Batch inverse_cube(const Batch& r2, const Batch& estimate) {
  return in_double ? by_series(r2, estimate) : by_newton_step(r2, estimate);
}
inline Batch inverse_cube(const Batch& r2) { return inverse_cube(r2, inverse_root(r2)); }

}  // namespace nbody
