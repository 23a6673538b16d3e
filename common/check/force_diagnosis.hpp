#pragma once

#include <string>

#include "bodies/scene.hpp"
#include "check/row.hpp"
#include "physics/reference.hpp"

namespace nbody::check {

// Fitters: kinds of mistakes that have a number of their own, which no row of the table of mistakes
// can know (a factor, a cut-off, the index from which on bodies are lost).

// Wrong accelerations and what is known about them, of all bodies.
struct WrongForces {
  const Scene& scene;
  const Reference& reference;
  const Vectors<double>& got;
};

// The kinds of mistakes that give exactly these numbers, the likeliest first; none for a right
// answer.
Hypotheses fitted_force_mistakes(const WrongForces& wrong, double limit);

// Which bodies are NaN or infinite, and what that may come from; "" if none is.
std::string diagnose_not_finite(const WrongForces& wrong);

}  // namespace nbody::check
