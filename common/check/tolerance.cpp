#include "check/tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/input_error.hpp"

namespace nbody::check {

const std::vector<Tolerance>& tolerances() {
  static const std::vector<Tolerance> all = {
      {"standard", 1e-5, 0x1p-24},
      {"approximate", 1e-3, 0x1p-24},  // raw reciprocal square roots are allowed
      {"double", 1e-13, 0x1p-53},
  };
  return all;
}

const Tolerance& tolerance_named(const std::string& name, Precision precision) {
  const bool in_double = precision == Precision::double_precision;
  for (const auto& tolerance : tolerances()) {
    if (tolerance.name == name && (in_double || name != "double")) {
      return in_double ? tolerances().back() : tolerance;
    }
  }
  throw InputError(
      fmt::format("--tolerance {} is unknown: choose standard or approximate", in_quotes(name)));
}

double force_limit(const Tolerance& tolerance, std::size_t n) {
  return tolerance.force * std::sqrt(std::max(1.0, static_cast<double>(n) / 16384));
}

double plain_sum_limit(const Tolerance& tolerance, std::size_t n) {
  return std::max(force_limit(tolerance, n), static_cast<double>(n) * tolerance.digits / 2);
}

}  // namespace nbody::check
