#pragma once

#include <cstddef>
#include <vector>

#include "check/diagnosis.hpp"

namespace nbody::check {

inline constexpr std::size_t enough_bodies = 7;  // with fewer, many mistakes look alike
inline constexpr std::size_t sample_size = 10;

// How much hypotheses_of() computes for a case, in pairs of bodies: of the wrong programs that are
// run on it, and of fitters.
double work_of(const Case& test);

// The failures that a diagnosis looks at, out of those of the most basic group: those that tell
// most for what they cost.
std::vector<const Failure*> sample_of(const std::vector<const Failure*>& failures);

}  // namespace nbody::check
