#pragma once

#include <functional>
#include <optional>

#include "check/diagnosis.hpp"
#include "check/mistakes/mistake.hpp"

namespace nbody::check {

inline constexpr std::size_t quick_bodies = 130;  // a hundred wrong programs are run on so many
inline constexpr std::size_t most_bodies = 1100;  // and some of them on so many
inline constexpr std::uint64_t most_steps = 200;  // in a wrong program's run

inline const Cause step_of_rank = {
    "step_of_rank",
    "the bodies do not move by the step that rank 0 returns: does each rank take a time step of "
    "its own (no MPI_Allreduce)?"};
// In float all was right, so the smallest step is shared.
inline const Cause step_of_rank_in_double = {
    step_of_rank.mistake,
    "right in float, but in double the bodies do not move by the step that rank 0 returns: is it "
    "sent as MPI_FLOAT where real is double?"};

// Everything that explains one wrong answer: rows of the table of mistakes whose wrong program
// gives it, and mistakes with a number of their own that is fitted. Only the rows that
// `may_explain` allows are run.
Hypotheses hypotheses_of(Subject& subject, const Failure& failure,
                         const std::function<bool(const Mistake&)>& may_explain);

const Hypothesis* of_mistake(const Hypotheses& all, std::string_view mistake);

// Is this the wrong program's answer? If `must_fail`, one that is wrong in this case.
bool gives(const Mistake& mistake, std::size_t width, const Case& test, const Answer& answer,
           const Subject& subject, bool must_fail = false);

// What the wrong program answers, in the number type of the program under test. Nothing if it
// refuses.
std::optional<Answer> answer_with(const Mistake& mistake, std::size_t width, Request request,
                                  Precision precision);

// Do rounding and the order of sums explain the difference between the two answers to a case?
bool same_answer(const Case& test, const Answer& got, const Answer& other,
                 const Tolerance& tolerance);

// Can a row say anything about this case?
bool concerns(const Mistake& mistake, const Case& test);

// A single step tells more than many in one go.
inline bool is_in_one_go(const Case& test) {
  return !test.request.every_state && test.request.steps > 1;
}

}  // namespace nbody::check
