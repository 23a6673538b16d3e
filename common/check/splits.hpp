#pragma once

#include <vector>

#include "check/diagnosis.hpp"

namespace nbody::check {

// What all cases that fail have in common, and none that passed, whatever the answers are.

enum class Among { threads, ranks };

// The failures, smallest first, are right on one thread, one rank or another number of ranks.
// `usual`: the number of a case that asks for none.
Cause about_sharing(Among among, unsigned usual, const std::vector<const Failure*>& failures);

// Wrong if and only if some ranks have one body more than others.
Cause about_remainders(unsigned ranks, const std::vector<const Failure*>& failures,
                       const std::vector<const Case*>& passed);

// All are of one kind, which has a sentence of its own.
Cause about_kinds(const std::vector<const Failure*>& failures);

// For which numbers of bodies is it wrong, or in which family?
Cause about_sizes(const std::vector<const Failure*>& failures,
                  const std::vector<const Case*>& passed);

}  // namespace nbody::check
