#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "core/conserved.hpp"
#include "core/reference.hpp"

namespace nbody::check {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline constexpr std::vector<double> Vectors<double>::*axes[] = {
    &Vectors<double>::x, &Vectors<double>::y, &Vectors<double>::z};

// Errors of accelerations. The error of body i is |a_i - a_ref,i| / sum_j |a_ij|: relative to what
// was summed, not to what is left after cancellation.
struct ForceError {
  double max = 0;  // infinity if any number is NaN or infinite
  std::size_t worst = 0;
  Vector expected, got;  // of the worst body
};
ForceError force_error(const Reference& reference, const Vectors<double>& got);
// One body's error; infinity for NaN.
double force_error_of(const Reference& reference, const Vectors<double>& got, std::size_t i);

// Only the bodies `rows`, in the order of reference_accelerations().
Vectors<double> rows_of(const Vectors<double>& all, const std::vector<std::size_t>& rows);

// Tests the bits, so that no compiler flag can optimise it away.
bool is_finite(double value);
bool is_nan(double value);
bool is_finite(const Vectors<double>& vectors);

// No intermediate square under- or overflows, and NaN stays NaN: std::hypot(0, NaN, 0) is 0 in
// libstdc++ 12.
double length(double x, double y, double z);
double length(const Vectors<double>& v, std::size_t i);
double distance(const Vectors<double>& a, const Vectors<double>& b, std::size_t i);
double distance(const Bodies<double>& bodies, std::size_t i, std::size_t j);

}  // namespace nbody::check
