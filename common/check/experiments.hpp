#pragma once

#include "check/diagnosis.hpp"

namespace nbody::check {

// What a program shows if it is asked again.

bool is_right(const Tolerance& tolerance, const Case& test, const Answer& answer);

// Does its answer change by itself, in a new program, or on one thread? If by itself, the row says
// so, too. Else none.
Cause about_asking_again(Subject& subject, const Record& record, const Failure& failure, Row& row);

bool is_right_on_one_rank(const Subject& subject, const Case& test);

// If it has a program for double.
bool is_right_in_double(Subject& subject, const Case& test);

}  // namespace nbody::check
