#pragma once

#include <vector>

#include "check/diagnosis.hpp"

namespace nbody::check {

// What a program shows if it is asked again: each returns a cause that is known, or none.

bool is_right(const Tolerance& tolerance, const Case& test, const Answer& answer);

// Does its answer change by itself, in a new program, or with the number of threads? If by itself,
// the row says so, too.
Cause about_repeats(Subject& subject, const Record& record, const Failure& failure,
                    const std::vector<const Failure*>& failures, Row& row);

// Right on one rank?
Cause about_one_rank(const Subject& subject, const std::vector<const Failure*>& failures);

// Right in double? Then float has too few digits, or too small a range, for something.
Cause right_in_double(Subject& subject, const Failure& failure, double error);

}  // namespace nbody::check
