#pragma once

#include <vector>

#include "check/case.hpp"

namespace nbody::check {

// Few bodies whose accelerations are known without summing: they check the reference, too.
std::vector<Case> exact_cases();

// Where the bodies of an exact case stand among others.
enum class Placement { first, anywhere };

// The same bodies among light, distant companions, so that they reach loops over whole vectors. The
// reference sums.
Case in_a_crowd(const Case& exact, Placement placement, std::size_t companions, std::uint64_t seed);

}  // namespace nbody::check
