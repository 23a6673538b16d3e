#pragma once

#include <optional>
#include <set>

#include "check/diagnosis.hpp"
#include "check/mistakes/mistake.hpp"

namespace nbody::check {

// The wrong program of a row of the table of mistakes is run on the request that failed. If it
// gives the answer that failed, the row's sentence is the diagnosis.

// What is run for a diagnosis: the table, and each wrong force once more in steps only.
const std::vector<Mistake>& tried();

// Is it cheap enough to run a hundred of them on this case, and do they answer it?
bool is_quick(const Case& test);

// The numbers that a wrong answer proposes for a row: whether one is right is decided by a run with
// it (numbers.cpp).
std::set<double> numbers_of(Number number, const Failure& failure);

// What the wrong program answers, in the number type of the program under test. Nothing if it
// refuses.
std::optional<Answer> answer_with(const Mistake& mistake, Request request, Precision precision);

bool all_finite(const Answer& answer);

// Do rounding and the order of sums explain the difference between the two answers to a case? What
// errs by `error` must be explained better than by the right answer.
bool same_answer(const Case& test, const Answer& got, const Answer& other,
                 const Tolerance& tolerance, double error = 1);

// A single step tells more than many in one go.
inline bool is_in_one_go(const Case& test) {
  return !test.request.every_state && test.request.steps > 1;
}

}  // namespace nbody::check
