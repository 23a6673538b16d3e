#pragma once

#include <type_traits>
#include <xsimd/xsimd.hpp>

namespace nbody {

// 1/r^3 from r^2, without root and division: y = rsqrt(r2) is an estimate of 12 to 14 bits, and
//   h = 1 - r2 y^2,   1/r^3 = y^3 (1 - h)^(-3/2) = y^3 (1 + 3/2 h + 15/8 h^2 + 35/16 h^3 + ...).

// NEON's estimate has 8 bits only, and gets the usual Newton step, y (3 - r2 y^2) / 2, beforehand.
template <typename Batch>
Batch inverse_root(const Batch& r2) {
  const Batch y = xsimd::rsqrt(r2);
  if constexpr (std::is_base_of_v<xsimd::neon, typename Batch::arch_type>) {
    using Number = typename Batch::value_type;
    return y * Batch(Number(0.5)) * xsimd::fnma(r2 * y, y, Batch(Number(3)));
  } else {
    return y;
  }
}

// float: 2/3 of 1/r^3. One Newton step, which is the series up to h, and 3/2 is left to the end of
// the sum: y^3 (2/3 + h) = y^3 (5/3 - r2 y^2). Error: some 10^-7, and 10^-6 from 12 bits.
template <typename T>
struct InverseCube {
  using Batch = xsimd::batch<T>;
  static constexpr double missing_factor = 1.5;

  static Batch of(const Batch& r2) { return from_estimate(r2, inverse_root(r2)); }

  static Batch from_estimate(const Batch& r2, const Batch& y) {
    const Batch y2 = y * y;
    return y * y2 * xsimd::fnma(r2, y2, Batch(T(5.0 / 3)));
  }
};

// double: the series up to h^5. h is 7e-4 at most, so what is left out is below 10^-15.
template <>
struct InverseCube<double> {
  using Batch = xsimd::batch<double>;
  static constexpr double missing_factor = 1;

  static Batch of(const Batch& r2) { return from_estimate(r2, inverse_root(r2)); }

  static Batch from_estimate(const Batch& r2, const Batch& y) {
    const Batch y2 = y * y;
    const Batch y3 = y * y2;
    const Batch h = xsimd::fnma(r2, y2, Batch(1.0));
    Batch series(693.0 / 256);
    for (const double factor : {315.0 / 128, 35.0 / 16, 15.0 / 8, 3.0 / 2}) {
      series = xsimd::fma(series, h, Batch(factor));
    }
    return xsimd::fma(y3 * h, series, y3);
  }
};

}  // namespace nbody
