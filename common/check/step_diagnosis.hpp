#pragma once

#include "check/case.hpp"
#include "check/tolerance.hpp"

namespace nbody::check {

// Fitters for steps: kinds of mistakes that have a number of their own (a friction, a share of the
// way, the number of steps that were made). The rows of the table of mistakes do the rest
// (synthesis.hpp).
Hypotheses fitted_step_mistakes(const Case& test, const protocol::Answer& answer,
                                const Tolerance& tolerance);

}  // namespace nbody::check
