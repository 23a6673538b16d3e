#include "check/step_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bodies/units.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/force_hypotheses.hpp"
#include "check/judge.hpp"
#include "check/step_bounds.hpp"

namespace nbody::check {
namespace {

using protocol::State;
using Step = WrongStep;

bool right_length(const Step& step) {
  return std::abs(step.length() / step.expected - 1) <= adaptive_limit;
}

// The first step that is wrong.
std::optional<Step> first_wrong_step(const Case& test, const protocol::Answer& answer,
                                     const Tolerance& tolerance) {
  const protocol::Request& request = test.request;
  State before = state_of(request.bodies);
  for (const State& after : answer.states) {
    const Bodies<double> bodies = bodies_in(request.bodies, before);
    Reference reference =
        reference_accelerations(bodies, request.setting.G, request.setting.softening, test.rows);
    const double largest = reference_time_step(bodies, reference.acceleration, test.rows);
    const double dt =
        request.adaptive ? adaptive_step(largest, request.setting) : request.setting.dt;
    const Step step{test, tolerance, before, after, std::move(reference), dt};
    if (!right_length(step) || !step.moved_by(step.length())) return step;
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
    for (std::size_t k = 0; k < step.test.rows.size(); ++k) {
      const std::size_t i = step.test.rows[k];
      product += ((step.after.velocity.*axis)[i] - a[k] * dt) * v[i];
      square += v[i] * v[i];
    }
  }
  if (!(square > 0)) return 1;
  const double keep = product / square;
  State damped = stepped(step.before, step.reference.acceleration, dt, step.test.rows);
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

// Did every body move too far by the same vector?
bool shifted_together(const Step& step) {
  State shifted = stepped(step.before, step.reference.acceleration, step.length(), step.test.rows);
  const std::size_t first = step.test.rows.front();
  for (const auto axis : axes) {
    auto& q = shifted.position.*axis;
    const double shift = (step.after.position.*axis)[first] - q[first];
    for (double& place : q) place += shift;
  }
  shifted.time = step.after.time;
  // The shift itself was rounded, as were the shifted positions.
  return step.test.n() > 1 && state_error(shifted, step.after, step.reference.magnitude,
                                          step.length(), step.tolerance, step.test.rows, 20)
                                      .max <= 1;
}

// Right by Eq. 4 and 5, except for the accelerations: do those that moved the velocities come from
// a known mistake? The answered accelerations are right.
std::string other_accelerations(const Step& step) {
  const double dt = step.length();
  Vectors<double> used = step.reference.acceleration;
  for (const auto axis : axes) {
    for (std::size_t k = 0; k < step.test.rows.size(); ++k) {
      const std::size_t i = step.test.rows[k];
      (used.*axis)[k] = ((step.after.velocity.*axis)[i] - (step.before.velocity.*axis)[i]) / dt;
    }
  }
  State moved = stepped(step.before, used, dt, step.test.rows);
  moved.time = step.after.time;
  if (!step.is(moved, dt)) return "";
  const Scene scene{bodies_in(step.test.request.bodies, step.before), step.test.request.setting, 0};
  // Differences of rounded velocities lose a few digits.
  const Hypotheses found = fitted_force_mistakes({scene, step.reference, used}, 1e-4);
  const std::string known = found.empty() ? "" : found.front().sentence;
  return "the step moves bodies with other accelerations than those it computes when asked" +
         (known.empty() ? "" : ": " + known);
}

Hypotheses wrong_motion(const Step& step) {
  const double factor = damping(step);
  if (factor != 1) {
    return {{"friction",
             fmt::format("velocities are multiplied by {:.6g} in every step: friction?", factor)}};
  }
  if (shifted_together(step)) {
    return {{"shift",
             "all positions are shifted by the same vector: the bodies are changed outside "
             "update_bodies()"}};
  }
  const std::string others = other_accelerations(step);
  if (!others.empty()) return {{"other accelerations", others, Reach::fallback}};
  if (!step.test.request.adaptive) return {};
  return {{"other step",
           "the bodies do not move by the step that advance() returns: Eq. 4 and 5 with another "
           "dt?",
           Reach::fallback}};
}

Hypotheses wrong_number(const Case& test, const protocol::Answer& answer,
                        const Tolerance& tolerance) {
  const State& end = answer.states.back();
  std::size_t made = 0;
  reference_run(test.request, [&](const Run& so_far) {
    if (miss_of(end, so_far, tolerance.digits) <= path_limit) made = so_far.steps.size();
  });
  if (made == 0 || made == test.request.steps) return {};
  return {{"steps made", fmt::format("only {} of {} steps in one go are made: the rest is lost",
                                     made, test.request.steps)}};
}

}  // namespace

Hypotheses fitted_step_mistakes(const Case& test, const protocol::Answer& answer,
                                const Tolerance& tolerance) {
  const protocol::Request& request = test.request;
  if (request.steps == 0 || !request.setting.integrator.empty()) return {};
  if (!request.want_every_state && request.steps > 1) return wrong_number(test, answer, tolerance);
  const auto step = first_wrong_step(test, answer, tolerance);
  if (!step) return {};
  return right_length(*step) ? wrong_motion(*step) : wrong_length(*step);
}

}  // namespace nbody::check
