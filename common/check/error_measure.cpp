#include "check/error_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace nbody::check {
namespace {

constexpr std::uint64_t exponent_bits = 0x7ff0000000000000;
constexpr std::uint64_t mantissa_bits = 0x000fffffffffffff;

std::string in_words(const Vector& v) {
  return fmt::format("({:.7g}, {:.7g}, {:.7g})", v.x, v.y, v.z);
}

}  // namespace

double length(double x, double y, double z) { return std::hypot(std::hypot(x, y), z); }

double length(const Vectors<double>& v, std::size_t i) { return length(v.x[i], v.y[i], v.z[i]); }

double distance(const Vectors<double>& a, const Vectors<double>& b, std::size_t i) {
  return length(a.x[i] - b.x[i], a.y[i] - b.y[i], a.z[i] - b.z[i]);
}

double distance(const Bodies<double>& b, std::size_t i, std::size_t j) {
  return length(b.qx[j] - b.qx[i], b.qy[j] - b.qy[i], b.qz[j] - b.qz[i]);
}

bool is_finite(double value) {
  return (std::bit_cast<std::uint64_t>(value) & exponent_bits) != exponent_bits;
}

bool is_nan(double value) {
  return !is_finite(value) && (std::bit_cast<std::uint64_t>(value) & mantissa_bits) != 0;
}

bool is_finite(const Vectors<double>& vectors) {
  for (const auto axis : axes) {
    for (const double value : vectors.*axis) {
      if (!is_finite(value)) return false;
    }
  }
  return true;
}

double force_error_of(const Reference& reference, const Vectors<double>& got, std::size_t i) {
  if (!is_finite(got.x[i]) || !is_finite(got.y[i]) || !is_finite(got.z[i])) return infinity;
  const double miss = distance(got, reference.acceleration, i);
  if (miss == 0) return 0;
  // Without forces the acceleration must be exactly 0.
  return reference.magnitude[i] > 0 ? miss / reference.magnitude[i] : infinity;
}

Vectors<double> rows_of(const Vectors<double>& all, const std::vector<std::size_t>& rows) {
  Vectors<double> some;
  for (const auto axis : axes) {
    for (const std::size_t i : rows) (some.*axis).push_back((all.*axis)[i]);
  }
  return some;
}

ForceError force_error(const Reference& reference, const Vectors<double>& got) {
  const std::size_t n = got.size();
  ForceError error;
  std::vector<double> errors(n);
  double misses2 = 0, magnitudes2 = 0;
  for (std::size_t i = 0; i < n; ++i) {
    errors[i] = force_error_of(reference, got, i);
    const double miss = errors[i] * reference.magnitude[i];
    misses2 += miss * miss;
    magnitudes2 += reference.magnitude[i] * reference.magnitude[i];
    if (!(errors[i] <= error.max)) {
      error.max = errors[i];
      error.worst = i;
    }
  }
  error.l2 = magnitudes2 > 0 && is_finite(misses2) ? std::sqrt(misses2 / magnitudes2) : error.max;
  std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(n / 2),
                   errors.end());
  error.median = errors[n / 2];
  const std::size_t w = error.worst;
  error.expected = {reference.acceleration.x[w], reference.acceleration.y[w],
                    reference.acceleration.z[w]};
  error.got = {got.x[w], got.y[w], got.z[w]};
  return error;
}

std::string describe_force_error(const ForceError& error) {
  return fmt::format("worst body {}: expected a = {}, got {}; median error {:.1e}, L2 {:.1e}",
                     error.worst, in_words(error.expected), in_words(error.got), error.median,
                     error.l2);
}

}  // namespace nbody::check
