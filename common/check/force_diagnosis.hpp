#pragma once

#include <string>
#include <vector>

#include "bodies/scene.hpp"
#include "check/hypothesis.hpp"
#include "check/subject.hpp"
#include "physics/reference.hpp"

namespace nbody {

// For answers that differ although the question was the same.
inline constexpr const char* answers_change_text =
    "the same request gave two different answers: threads write to the same place without "
    "synchronisation (a data race), or memory is read before it is written or beyond an array's "
    "end; ./lab check PART NAME --sanitize names the line";

// A wrong answer and all that is known about it.
struct WrongForces {
  const Scene& scene;
  const Reference& reference;
  const Vectors<double>& got;
  const std::vector<Reference>& earlier;  // what stale answers to earlier requests would look like
};

// The kinds of mistakes that make exactly this answer, the likeliest first. May ask the subject
// again (is it the same twice? is it right in double?).
Hypotheses diagnose_forces(const WrongForces& wrong, const Request& request, Subject& subject);

// Those that need the numbers only; none for a right answer.
Hypotheses diagnose_force_numbers(const WrongForces& wrong, double limit);

// One mistake for the whole run: the one that fits most of the failing cases and that none
// contradicts. Each failing row gets its sentence, or none when no mistake explains enough.
void choose_force_diagnosis(Rows& rows);

}  // namespace nbody
