#pragma once

#include <string>
#include <vector>

#include "check/force_diagnosis.hpp"

namespace nbody {

// Kinds of mistakes whose answer can be computed and compared. Each returns one sentence, or
// nothing when it does not explain the answer.

// The truth times one constant.
std::string diagnose_factor(const WrongForces& wrong, double limit);
// Another formula: softening, masses, axes, an earlier request's answer.
std::string diagnose_hypotheses(const WrongForces& wrong, double limit);
// The last sources are missing in every sum.
std::string diagnose_lost_sources(const WrongForces& wrong, double limit);
// All right but one or two bodies.
std::string diagnose_few_bodies(const WrongForces& wrong, const std::vector<std::size_t>& bad,
                                double limit);

}  // namespace nbody
