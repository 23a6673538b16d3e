#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "simulator/messages.hpp"

namespace nbody::check {

// The limits that decide. Only the instructor may change them; no part may read them.
struct Tolerance {
  std::string name;
  double force;   // largest |a_i - a_ref,i| / sum_j |a_ij|
  double digits;  // rounding unit of the number type: 2^-24 or 2^-53
};

// standard: honest float reaches 4.8e-6 at N = 4099 with heavy tails; raw 12-bit rsqrt exceeds
// 1e-5. approximate: only where an exercise allows the raw reciprocal square root. double: honest
// double stays below 1e-14 on the whole ladder.
const std::vector<Tolerance>& tolerances();

// The tolerance of that name; in double precision always `double`. Throws InputError.
const Tolerance& tolerance_named(const std::string& name, Precision precision);

// Rounding grows with the length of the sum: above 16384 bodies the limit grows as sqrt(N/16384).
double force_limit(const Tolerance& tolerance, std::size_t n);

// A running sum of n terms may lose n u / 2 of the sum, the mean of what recursive summation can
// lose (Higham, Accuracy and Stability of Numerical Algorithms, eq. 4.4): a large term rounds each
// small one the same way. With 131072 bodies a fifth of it was measured, and 0.4 in a galaxy of a
// million, whose centre dominates. Sums in many parts (lanes or blocks) stay far below.
double plain_sum_limit(const Tolerance& tolerance, std::size_t n);

}  // namespace nbody::check
