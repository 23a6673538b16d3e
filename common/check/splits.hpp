#pragma once

#include <string_view>
#include <vector>

#include "check/diagnosis.hpp"

namespace nbody::check {

// What all cases that fail have in common, and none that passed, whatever the answers are.

enum class Among { threads, ranks };

// The failures, smallest first, are right on another number of threads or ranks. `usual`: that of a
// case that asks for none.
Cause about_sharing(Among among, unsigned usual, std::string_view right_on,
                    const std::vector<const Failure*>& failures);

// Wrong on other numbers of ranks than the usual one, or if and only if some ranks have one body
// more than others.
Cause about_numbers_of_ranks(unsigned usual, const std::vector<const Failure*>& failures,
                             const std::vector<const Case*>& passed);

// The first step is right, however many bodies there are; later ones are wrong from a number on.
// `passed_of_all`: of all families.
Cause about_later_steps(const std::vector<const Failure*>& failures,
                        const std::vector<const Case*>& passed,
                        const std::vector<const Case*>& passed_of_all);

// For which numbers of bodies, or of steps, is it wrong?
Cause about_sizes(const std::vector<const Failure*>& failures,
                  const std::vector<const Case*>& passed);

// Forces, in how few digits are they wrong? Either what says so by itself, or, as `fallback`, what
// does where nothing else fits.
Cause about_digits(const std::vector<const Failure*>& failures,
                   const std::vector<const Case*>& passed, const Rows& rows, bool fallback);

}  // namespace nbody::check
