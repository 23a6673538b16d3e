#pragma once

#include <string>
#include <vector>

#include "bodies/scene.hpp"
#include "check/subject.hpp"
#include "physics/reference.hpp"

namespace nbody {

// A wrong answer and all that is known about it.
struct WrongForces {
  const Scene& scene;
  const Reference& reference;
  const Vectors<double>& got;
  const std::vector<Reference>& earlier;  // what stale answers to earlier requests would look like
};

// The kind of mistake that makes exactly this answer, in one sentence; empty when none fits. May
// ask the subject again (is it the same twice? is it right in double?).
std::string diagnose_forces(const WrongForces& wrong, const Request& request, Subject& subject);

// The part of it that needs the numbers only; empty for a right answer.
std::string diagnose_force_numbers(const WrongForces& wrong, double limit);

}  // namespace nbody
