#include "check/error_measure.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace nbody::check {
namespace {

constexpr std::uint64_t infinity_bits = 0x7ff0000000000000;

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
  return (std::bit_cast<std::uint64_t>(value) & infinity_bits) != infinity_bits;
}

bool is_nan(double value) {
  return (std::bit_cast<std::uint64_t>(value) & ~(std::uint64_t{1} << 63)) > infinity_bits;
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
  ForceError error;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double of_body = force_error_of(reference, got, i);
    if (of_body <= error.max) continue;
    error.max = of_body;
    error.worst = i;
  }
  const Vectors<double>& right = reference.acceleration;
  const std::size_t w = error.worst;
  error.expected = {right.x[w], right.y[w], right.z[w]};
  error.got = {got.x[w], got.y[w], got.z[w]};
  return error;
}

}  // namespace nbody::check
