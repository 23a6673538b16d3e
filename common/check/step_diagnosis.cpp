#include "check/step_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/error_measure.hpp"
#include "check/step_bounds.hpp"

namespace nbody {
namespace {

// v' = v + kick a dt and q' = q + drift v dt + push a dt^2/2: Eq. 4 and 5 when all three are 1.
struct Scheme {
  double kick, drift, push;
  const char* sentence;
};

bool explains(const Scheme& scheme, const State& before, const State& after, Reference reference,
              double dt, const Tolerance& tolerance) {
  // The step's deviation from Eq. 4 and 5 is taken back, then the usual bound decides.
  State corrected = after;
  const auto correct = [&](const std::vector<double>& v, const std::vector<double>& a,
                           std::vector<double>& new_q, std::vector<double>& new_v) {
    for (std::size_t i = 0; i < v.size(); ++i) {
      new_v[i] -= (scheme.kick - 1) * a[i] * dt;
      new_q[i] -= (scheme.drift - 1) * v[i] * dt + (scheme.push - 1) * a[i] * dt * dt / 2;
    }
  };
  correct(before.velocity.x, reference.acceleration.x, corrected.position.x, corrected.velocity.x);
  correct(before.velocity.y, reference.acceleration.y, corrected.position.y, corrected.velocity.y);
  correct(before.velocity.z, reference.acceleration.z, corrected.position.z, corrected.velocity.z);
  return step_error(before, corrected, reference, dt, tolerance).max <= 4;
}

// Every body moved by the same vector too much?
bool shifted_together(const State& before, const State& after, const Reference& reference,
                      double dt, const Tolerance& tolerance) {
  const auto miss = [&](const std::vector<double>& q, const std::vector<double>& v,
                        const std::vector<double>& a, const std::vector<double>& new_q,
                        std::size_t i) {
    return new_q[i] - (q[i] + v[i] * dt + a[i] * dt * dt / 2);
  };
  const Vectors<double>&q = before.position, &v = before.velocity, &a = reference.acceleration;
  State corrected = after;
  const double sx = miss(q.x, v.x, a.x, after.position.x, 0);
  const double sy = miss(q.y, v.y, a.y, after.position.y, 0);
  const double sz = miss(q.z, v.z, a.z, after.position.z, 0);
  for (std::size_t i = 0; i < q.size(); ++i) {
    corrected.position.x[i] -= sx;
    corrected.position.y[i] -= sy;
    corrected.position.z[i] -= sz;
  }
  // The shift itself was rounded, as were the shifted positions.
  return q.size() > 1 && step_error(before, corrected, reference, dt, tolerance).max <= 20;
}

State state_before(const WrongStep& wrong, std::uint64_t step) {
  return step == 0 ? state_of(wrong.scene) : wrong.states[step - 1];
}

Reference reference_at(const WrongStep& wrong, std::uint64_t step) {
  return reference_accelerations(bodies_in(wrong.scene, state_before(wrong, step)),
                                 wrong.scene.setting.G, wrong.scene.setting.softening);
}

void add(Reference& sum, const Reference& other) {
  for (std::size_t i = 0; i < sum.magnitude.size(); ++i) {
    sum.acceleration.x[i] += other.acceleration.x[i];
    sum.acceleration.y[i] += other.acceleration.y[i];
    sum.acceleration.z[i] += other.acceleration.z[i];
    sum.magnitude[i] += other.magnitude[i];
  }
}

// Accelerations of another step? The first and the one before are the same at the second step, so
// one step more is looked at where there is one.
std::string diagnose_stale_accelerations(const WrongStep& wrong, double dt,
                                         const Tolerance& tolerance) {
  const std::uint64_t step = std::min<std::uint64_t>(wrong.step + 1, wrong.states.size() - 1);
  const Scheme right = {1, 1, 1, ""};
  const auto made_with = [&](std::uint64_t k, const Reference& reference) {
    return explains(right, state_before(wrong, k), wrong.states[k], reference, dt, tolerance);
  };
  const Reference first = reference_at(wrong, 0), previous = reference_at(wrong, step - 1);
  if (made_with(step, first)) {
    return "the accelerations are those of the very first step: never computed again";
  }
  if (made_with(step, previous)) {
    return "the step uses the accelerations of the step before: compute them first";
  }
  Reference sum = reference_at(wrong, wrong.step);
  for (std::uint64_t k = 0; k < wrong.step; ++k) add(sum, reference_at(wrong, k));
  if (made_with(wrong.step, sum)) {
    return "accelerations add up from step to step: set them to zero before summing";
  }
  return "";
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
  static const Scheme schemes[] = {
      {1, 1, 3, "the new velocity is used in Eq. 5: move the bodies before changing v"},
      {1, 1, 2, "a dt^2 stands in Eq. 5 where a dt^2/2 belongs"},
      {1, 1, 0, "the term a dt^2/2 is missing in Eq. 5"},
      {0.5, 0.5, 0.25, "only half of dt is used"},
      {2, 2, 4, "twice the dt is used"},
      {0, 0, 0, "nothing moves: no step is made"},
      {0, 1, 0, "accelerations are not used: bodies fly straight on"},
      {-1, 1, -1, "accelerations are subtracted in Eq. 4 and 5"},
      {1, 0, 0, "positions never change: Eq. 5 is missing"},
      {0, 1, 1, "velocities never change: Eq. 4 is missing"},
  };
  for (const Scheme& scheme : schemes) {
    if (explains(scheme, before, after, reference, dt, tolerance)) return scheme.sentence;
  }
  if (wrong.step > 0) {
    const std::string stale = diagnose_stale_accelerations(wrong, dt, tolerance);
    if (!stale.empty()) return stale;
  }
  if (shifted_together(before, after, reference, dt, tolerance)) {
    return "all positions are shifted by the same vector: the bodies are changed outside "
           "update_bodies()";
  }
  return "";
}

}  // namespace nbody
