#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "protocol/messages.hpp"

namespace nbody {

// The limits that decide. They belong to the instructor: no part may read or change them.
struct Tolerance {
  std::string name;
  double force;         // largest |a_i - a_ref,i| / sum_j |a_ij|
  double digits;        // rounding unit of the number type: 2^-24 or 2^-53
  std::string meaning;  // one line for --help
};

// standard: honest float reaches 4.8e-6 at N = 4099 with heavy tails; raw 12-bit rsqrt misses 1e-5.
// approximate: only where an exercise allows the raw reciprocal square root.
// double: honest double stays below 1e-14 on the whole ladder.
const std::vector<Tolerance>& tolerances();

// The tolerance of that name; in double precision always `double`. Throws InputError.
const Tolerance& tolerance_named(const std::string& name, Precision precision);

// Rounding grows with the length of the sum: above 16384 bodies the limit grows as sqrt(N/16384).
double force_limit(const Tolerance& tolerance, std::size_t n);

}  // namespace nbody
