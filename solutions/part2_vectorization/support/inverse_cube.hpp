#pragma once

#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "simulator/real.hpp"

namespace nbody {

using Batch = xsimd::batch<real>;

// An approximation of 1/r from r^2, of 14 bits with AVX-512, else 11.6. NEON's has only 8, so the
// usual Newton step, u (3 - r2 u^2) / 2, comes first.
inline Batch rsqrt(const Batch& r2) {
  const Batch u = xsimd::rsqrt(r2);
  if (!std::is_base_of_v<xsimd::neon, Batch::arch_type>) return u;
  return u * Batch(real(0.5)) * xsimd::fnma(r2 * u, u, Batch(3));
}

// double: 1/r^3 from an approximation u of 1/r by the series of newton up to h^5. h is 7e-4 at
// most, so the omitted terms are below 10^-15.
inline Batch by_series(const Batch& r2, const Batch& u) {
  const Batch u2 = u * u;
  const Batch u3 = u * u2;
  const Batch h = xsimd::fnma(r2, u2, Batch(1));
  Batch series(real(693.0 / 256));
  for (const double factor : {315.0 / 128, 35.0 / 16, 15.0 / 8, 3.0 / 2}) {
    series = xsimd::fma(series, h, Batch(real(factor)));
  }
  return xsimd::fma(u3 * h, series, u3);
}

// The factor that inverse_cube() leaves out; the sums are multiplied by it at the end.
constexpr double missing_factor = in_double ? 1 : 1.5;

// 1/r^3 without this factor, from r^2, as 03_newton.hpp explains it.
inline Batch inverse_cube(const Batch& r2) {
  const Batch u = rsqrt(r2);
  if (in_double) return by_series(r2, u);
  const Batch u2 = u * u;
  return u * u2 * xsimd::fnma(r2, u2, Batch(real(5.0 / 3)));
}

}  // namespace nbody
