#pragma once

#include <optional>

#include "check/case.hpp"
#include "check/mistakes/mistake.hpp"
#include "check/tolerance.hpp"

namespace nbody::check {

// The wrong program of a row of the table of mistakes is run on the request that failed. If it
// gives the answer that failed, the row's sentence is the diagnosis.

// What is run for a diagnosis: the table, and each wrong force once more in steps only.
const std::vector<Mistake>& tried();

// Can a row say anything about this case, and is it cheap enough to run a hundred of them?
bool concerns(const Mistake& mistake, const Case& test);

// What the wrong program answers, in the number type of the program under test. Nothing if it
// refuses.
std::optional<Answer> answer_with(const Mistake& mistake, Request request, Precision precision);

// Do rounding and the order of sums explain the difference between the two answers to a case? What
// errs by `error` must be explained better than by the right answer.
bool same_answer(const Case& test, const Answer& got, const Answer& other,
                 const Tolerance& tolerance, double error = 1);

// A single step tells more than many in one go.
inline bool is_in_one_go(const Case& test) {
  return !test.request.every_state && test.request.steps > 1;
}

}  // namespace nbody::check
