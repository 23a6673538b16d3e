#include "check/step_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bodies/units.hpp"
#include "check/error_measure.hpp"
#include "check/force_diagnosis.hpp"
#include "check/mistakes/mistake.hpp"
#include "check/step_bounds.hpp"

namespace nbody::check {
namespace {

using protocol::State;

bool explains(const StepFactors& scheme, const State& before, const State& after,
              const Reference& reference, double dt, const Tolerance& tolerance) {
  // Removes the deviation from Eq. 4 and 5, then applies the usual bound.
  State corrected = after;
  for (const auto axis : axes) {
    const auto &v = before.velocity.*axis, &a = reference.acceleration.*axis;
    for (std::size_t i = 0; i < v.size(); ++i) {
      (corrected.velocity.*axis)[i] -= (scheme.keep - 1) * v[i] + (scheme.kick - 1) * a[i] * dt;
      (corrected.position.*axis)[i] -=
          (scheme.drift - 1) * v[i] * dt + (scheme.push - 1) * a[i] * dt * dt / 2;
    }
  }
  return step_error(before, corrected, reference, dt, tolerance).max <= 4;
}

// Did every body move too far by the same vector?
bool shifted_together(const State& before, const State& after, const Reference& reference,
                      double dt, const Tolerance& tolerance) {
  State corrected = after;
  for (const auto axis : axes) {
    const auto &q = before.position.*axis, &v = before.velocity.*axis;
    const double a = (reference.acceleration.*axis)[0];
    const double shift = (after.position.*axis)[0] - (q[0] + v[0] * dt + a * dt * dt / 2);
    for (double& place : corrected.position.*axis) place -= shift;
  }
  // The shift itself was rounded, as were the shifted positions. An error of velocities is no
  // shift.
  const StepError wrong = step_error(before, after, reference, dt, tolerance);
  const double left = step_error(before, corrected, reference, dt, tolerance).max;
  return before.position.size() > 1 && wrong.in_position && left <= 20 && left <= wrong.max / 4;
}

// The factor that multiplied all velocities in addition to Eq. 4; 1 if there is none.
double damping(const State& before, const State& after, const Reference& reference, double dt,
               const Tolerance& tolerance) {
  double product = 0, square = 0;
  for (const auto axis : axes) {
    const auto &v = before.velocity.*axis, &a = reference.acceleration.*axis;
    for (std::size_t i = 0; i < v.size(); ++i) {
      product += ((after.velocity.*axis)[i] - a[i] * dt) * v[i];
      square += v[i] * v[i];
    }
  }
  if (!(square > 0)) return 1;
  const StepFactors damped{.keep = product / square};
  return explains(damped, before, after, reference, dt, tolerance) ? damped.keep : 1;
}

State state_before(const WrongStep& wrong, std::uint64_t step) {
  return step == 0 ? state_of(wrong.scene) : wrong.states[step - 1];
}

Reference reference_at(const WrongStep& wrong, std::uint64_t step) {
  return check::reference_at(wrong.scene, state_before(wrong, step));
}

void add(Reference& sum, const Reference& other) {
  for (std::size_t i = 0; i < sum.magnitude.size(); ++i) {
    for (const auto axis : axes) {
      (sum.acceleration.*axis)[i] += (other.acceleration.*axis)[i];
    }
    sum.magnitude[i] += other.magnitude[i];
  }
}

// Accelerations of another step? At the second step the first and the previous one are the same, so
// a third step is compared if there is one.
std::string diagnose_stale_accelerations(const WrongStep& wrong, double dt,
                                         const Tolerance& tolerance) {
  const std::uint64_t step = std::min<std::uint64_t>(wrong.step + 1, wrong.states.size() - 1);
  const StepFactors right;
  const auto made_with = [&](std::uint64_t k, const Reference& reference) {
    return explains(right, state_before(wrong, k), wrong.states[k], reference, dt, tolerance);
  };
  const Reference first = reference_at(wrong, 0), previous = reference_at(wrong, step - 1);
  if (made_with(step, first)) {
    return "the accelerations are those of the very first step: never computed again";
  }
  if (made_with(step, previous)) {
    return "the step uses the accelerations of the previous step: compute them first";
  }
  Reference sum = reference_at(wrong, wrong.step);
  for (std::uint64_t k = 0; k < wrong.step; ++k) add(sum, reference_at(wrong, k));
  if (made_with(wrong.step, sum)) {
    return "accelerations add up from step to step: set them to zero before summing";
  }
  return "";
}

double dt_of(const WrongStep& wrong, std::uint64_t step) {
  return wrong.states[step].time - state_before(wrong, step).time;
}

// The dt of another adaptive step? A third step is compared, as above.
std::string diagnose_stale_dt(const WrongStep& wrong, const Tolerance& tolerance) {
  const std::uint64_t step = std::min<std::uint64_t>(wrong.step + 1, wrong.states.size() - 1);
  const Reference reference = reference_at(wrong, step);
  const double dt = dt_of(wrong, step);
  const auto moved_by = [&](double other) {
    return std::abs(other - dt) > 1e-6 * dt &&
           explains({}, state_before(wrong, step), wrong.states[step], reference, other, tolerance);
  };
  if (moved_by(dt_of(wrong, 0))) return "every step moves the bodies by the dt of the very first";
  if (moved_by(dt_of(wrong, step - 1))) {
    return "every step moves the bodies by the dt of the previous step";
  }
  return "";
}

// Right by Eq. 4 and 5, except for the accelerations: do those that moved the velocities come from
// a known mistake? The answered accelerations are right.
std::string diagnose_other_accelerations(const WrongStep& wrong, const State& before,
                                         const State& after, const Reference& reference, double dt,
                                         const Tolerance& tolerance) {
  Reference used = reference;
  for (const auto axis : axes) {
    const auto &v = before.velocity.*axis, &new_v = after.velocity.*axis;
    for (std::size_t i = 0; i < v.size(); ++i) {
      (used.acceleration.*axis)[i] = (new_v[i] - v[i]) / dt;
    }
  }
  if (!explains({}, before, after, used, dt, tolerance)) return "";
  const Scene scene{bodies_in(wrong.scene, before), wrong.scene.setting, 0};
  // Differences of rounded velocities lose a few digits.
  const Hypotheses found = diagnose_force_numbers({scene, reference, used.acceleration, {}}, 1e-4);
  const std::string known = found.empty() ? "" : found.front().sentence;
  return "the step moves bodies with other accelerations than those it computes when asked" +
         (known.empty() ? "" : ": " + known);
}

}  // namespace

std::string diagnose_step(const WrongStep& wrong, double dt, const Tolerance& tolerance) {
  const State before = state_before(wrong, wrong.step);
  const State& after = wrong.states[wrong.step];
  const double passed = after.time - before.time;
  if (!(std::abs(passed - dt) <= 1e-6 * dt)) {
    return fmt::format("a step of {} s took {} s: the time returned by advance() is wrong", dt,
                       passed);
  }
  const Reference reference = reference_at(wrong, wrong.step);
  if (step_error(before, after, reference, dt, tolerance).max <= 1) return "";
  const double working_dt =
      Units::for_bodies(wrong.scene.bodies, wrong.scene.setting.G).to_time(dt);
  for (const Mistake& mistake : mistakes()) {
    if (mistake.recognised == Recognised::by_scheme &&
        explains(mistake.scheme.at(working_dt), before, after, reference, dt, tolerance)) {
      return mistake.diagnosis;
    }
  }
  const double factor = damping(before, after, reference, dt, tolerance);
  if (factor != 1) {
    return fmt::format("velocities are multiplied by {:.6g} in every step: friction?", factor);
  }
  if (wrong.step > 0) {
    std::string stale = diagnose_stale_accelerations(wrong, dt, tolerance);
    if (stale.empty()) stale = diagnose_stale_dt(wrong, tolerance);
    if (!stale.empty()) return stale;
  }
  if (shifted_together(before, after, reference, dt, tolerance)) {
    return "all positions are shifted by the same vector: the bodies are changed outside "
           "update_bodies()";
  }
  return diagnose_other_accelerations(wrong, before, after, reference, dt, tolerance);
}

}  // namespace nbody::check
