#pragma once

#include <vector>

#include "bodies/scene.hpp"
#include "check/row.hpp"
#include "check/subject.hpp"
#include "physics/reference.hpp"

namespace nbody::check {

// For different answers to the same request.
inline constexpr const char* answers_change_text =
    "the same request gave two different answers: threads write to the same place without "
    "synchronisation (a data race), or memory is read before it is written or beyond an array's "
    "end; ./lab check PART NAME --sanitize names the line";

// A wrong answer and what is known about it.
struct WrongForces {
  const Scene& scene;
  const Reference& reference;
  const Vectors<double>& got;
  const std::vector<Reference>&
      earlier;  // what the answers to earlier requests would look like here
};

// The kinds of mistakes that give exactly this answer, the likeliest first. May ask the subject
// again (the same twice? right in double?).
Hypotheses diagnose_forces(const WrongForces& wrong, Subject& subject);

// Those that only need the numbers; none for a right answer.
Hypotheses diagnose_force_numbers(const WrongForces& wrong, double limit);

// One mistake for the whole run: it fits most of the failing cases, and none contradicts it. Each
// failing row gets its sentence, or none if no mistake explains enough.
void choose_force_diagnosis(Rows& rows);

}  // namespace nbody::check
