#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "check/case_list.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/fitters.hpp"
#include "check/judge.hpp"
#include "check/step_bounds.hpp"

namespace nbody::check {
namespace {

// A step, and the states around it.
struct Step {
  const Case& test;
  const Tolerance& tolerance;
  State before, after;
  std::vector<std::size_t> rows;  // the bodies that are looked at
  Reference reference;            // of these, before the step
  double expected;                // its length

  double length() const { return after.time - before.time; }
  bool is(const State& state, double dt) const {
    return state_error(state, after, reference.magnitude, dt, tolerance, rows, fit_roundings).max <=
           1;
  }
  bool moved_by(double dt) const {
    State state = stepped(before, reference.acceleration, dt, rows);
    state.time = after.time;
    return is(state, dt);
  }
};

bool right_length(const Step& step) {
  return std::abs(step.length() / step.expected - 1) <= adaptive_limit;
}

// Of many bodies only some were compared; a number is fitted to all.
Step of_all_bodies(Step step) {
  const Request& request = step.test.request;
  if (step.rows.size() == step.test.n()) return step;
  step.rows = all_rows(step.test.n());
  step.reference = reference_accelerations(bodies_in(request.bodies, step.before),
                                           request.setting.G, request.setting.softening);
  return step;
}

// The first step that is wrong.
std::optional<Step> first_wrong_step(const Case& test, const Answer& answer,
                                     const Tolerance& tolerance) {
  const Request& request = test.request;
  State before = state_of(request.bodies);
  for (const State& after : answer.states) {
    const Bodies<double> bodies = bodies_in(request.bodies, before);
    Reference reference =
        reference_accelerations(bodies, request.setting.G, request.setting.softening, test.rows);
    const double largest = reference_time_step(bodies, reference.acceleration, test.rows);
    const double dt =
        request.adaptive ? adaptive_step(largest, request.setting) : request.setting.dt;
    Step step{test, tolerance, before, after, test.rows, std::move(reference), dt};
    if (!right_length(step) || !step.moved_by(step.length())) return of_all_bodies(std::move(step));
    before = after;
  }
  return std::nullopt;
}

// The factor that multiplied all velocities in addition to Eq. 4; 1 if there is none.
double damping(const Step& step) {
  const double dt = step.length();
  double product = 0, square = 0;
  for (const auto axis : axes) {
    const auto &v = step.before.velocity.*axis, &a = step.reference.acceleration.*axis;
    for (std::size_t k = 0; k < step.rows.size(); ++k) {
      const std::size_t i = step.rows[k];
      product += ((step.after.velocity.*axis)[i] - a[k] * dt) * v[i];
      square += v[i] * v[i];
    }
  }
  if (!(square > 0)) return 1;
  const double keep = product / square;
  State damped = stepped(step.before, step.reference.acceleration, dt, step.rows);
  for (const auto axis : axes) {
    auto& v = damped.velocity.*axis;
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] += (keep - 1) * (step.before.velocity.*axis)[i];
    }
  }
  damped.time = step.after.time;
  // A step that is off by less is no friction.
  return std::abs(keep - 1) > 1e-5 && step.is(damped, dt) ? keep : 1;
}

// Right by Eq. 4 and 5, except for the accelerations: do those that moved the velocities come from
// a known mistake? The answered accelerations are right.
std::string other_accelerations(const Step& step) {
  const double dt = step.length();
  Vectors<double> used = step.reference.acceleration;
  for (const auto axis : axes) {
    for (std::size_t k = 0; k < step.rows.size(); ++k) {
      const std::size_t i = step.rows[k];
      (used.*axis)[k] = ((step.after.velocity.*axis)[i] - (step.before.velocity.*axis)[i]) / dt;
    }
  }
  State moved = stepped(step.before, used, dt, step.rows);
  moved.time = step.after.time;
  if (!step.is(moved, dt)) return "";
  const Scene scene{bodies_in(step.test.request.bodies, step.before), step.test.request.setting, 0};
  // Differences of rounded velocities lose a few digits.
  const Hypotheses found = fitted_force_mistakes({scene, step.reference, used}, 1e-4);
  const std::string known = found.empty() ? "" : found.front().cause.sentence;
  const bool asked = step.test.request.accelerations;
  return std::string(asked
                         ? "the step moves bodies with other accelerations than those it computes "
                           "when asked"
                         : "the step goes by Eq. 4 and 5, but with wrong accelerations") +
         (known.empty() ? "" : ": " + known);
}

Hypotheses wrong_motion(const Step& step) {
  const double factor = damping(step);
  if (factor != 1) {
    return {
        {{"friction",
          fmt::format("velocities are multiplied by {:.6g} in every step: friction?", factor)}}};
  }
  const double dt = step.length();
  const State expected = stepped(step.before, step.reference.acceleration, dt, step.rows);
  const Motion motion{step.before, expected,       step.after,   step.reference.magnitude,
                      dt,          step.tolerance, fit_roundings};
  Hypotheses found = fitted_bodies(motion, schemes().front());
  if (step.rows.size() > most_fitted) return found;
  const std::string others = other_accelerations(step);
  if (!others.empty()) {
    found.push_back({{"other_accelerations", others}, Reach::fallback});
  } else if (step.test.request.adaptive) {
    found.push_back({{"other_step",
                      "the bodies do not move by the step that advance() returns: Eq. 4 and 5 with "
                      "another dt?"},
                     Reach::fallback});
  }
  return found;
}

}  // namespace

Hypotheses fitted_step_mistakes(const Case& test, const Answer& answer,
                                const Tolerance& tolerance) {
  const Request& request = test.request;
  if (request.steps == 0 || test.n() > most_moved) return {};
  if (!request.setting.integrator.empty()) return fitted_scheme_mistakes(test, answer, tolerance);
  if (!request.every_state && request.steps > 1) return fitted_runs(test, answer, tolerance);
  const auto step = first_wrong_step(test, answer, tolerance);
  if (!step) return {};
  if (right_length(*step)) return wrong_motion(*step);
  const bool moves_as_expected = request.adaptive && step->moved_by(step->expected);
  return fitted_length({test, step->before, step->reference.acceleration, step->expected,
                        step->length(), moves_as_expected});
}

}  // namespace nbody::check
