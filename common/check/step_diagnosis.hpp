#pragma once

#include "check/case.hpp"
#include "check/step_bounds.hpp"
#include "check/tolerance.hpp"

namespace nbody::check {

// Fitters for steps: kinds of mistakes that have a number of their own (a friction, a share of the
// way, the number of steps that were made). The rows of the table of mistakes do the rest
// (synthesis.hpp).
Hypotheses fitted_step_mistakes(const Case& test, const protocol::Answer& answer,
                                const Tolerance& tolerance);

// A step, and the states around it.
struct WrongStep {
  static constexpr double roundings = 4;  // differences of rounded numbers lose a few digits

  const Case& test;
  const Tolerance& tolerance;
  protocol::State before, after;
  Reference reference;  // of the compared rows, before the step
  double expected;      // its length

  double length() const { return after.time - before.time; }
  bool is(const protocol::State& state, double dt) const {
    return state_error(state, after, reference.magnitude, dt, tolerance, test.rows, roundings)
               .max <= 1;
  }
  bool moved_by(double dt) const {
    protocol::State state = stepped(before, reference.acceleration, dt, test.rows);
    state.time = after.time;
    return is(state, dt);
  }
};

// Lengths of an adaptive step that Eq. 7 does not give.
Hypotheses wrong_length(const WrongStep& step);

}  // namespace nbody::check
