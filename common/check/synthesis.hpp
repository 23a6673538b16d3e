#pragma once

#include <optional>

#include "check/case.hpp"
#include "check/mistakes/mistake.hpp"
#include "check/tolerance.hpp"

namespace nbody::check {

// Diagnosis by synthesis: the wrong program of a row of the table of mistakes is run on the request
// that failed. If it gives the student's answer, the row's sentence is the diagnosis.

// What the wrong program answers, in the number type of the program under test. Nothing if it
// refuses.
std::optional<protocol::Answer> answer_with(const Mistake& mistake, std::size_t width,
                                            protocol::Request request,
                                            protocol::Precision precision);

// Do rounding and the order of sums explain the difference between the two answers to a case?
bool same_answer(const Case& test, const protocol::Answer& got, const protocol::Answer& other,
                 const Tolerance& tolerance);

// Can a row say anything about this case?
bool concerns(const Mistake& mistake, const Case& test);

}  // namespace nbody::check
