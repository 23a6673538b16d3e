#pragma once

#include "check/diagnosis.hpp"

namespace nbody::check {

// What all cases that fail have in common, and none that passed, whatever the answers are. The
// failures come smallest first.

// They are right on one rank or another number of ranks. `usual`: the ranks of a case that asks for
// none.
Cause about_ranks(unsigned usual, const Failing& failures);

// All are of one kind, which has a sentence of its own.
Cause about_kinds(const Failing& failures);

// For which numbers of bodies is it wrong?
Cause about_sizes(const Failing& failures, const Passed& passed);

}  // namespace nbody::check
