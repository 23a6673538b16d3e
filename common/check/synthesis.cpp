#include <algorithm>
#include <cmath>

#include "check/error_measure.hpp"
#include "check/hypotheses.hpp"
#include "check/judge.hpp"
#include "check/mistakes/mistaken.hpp"
#include "check/step_bounds.hpp"
#include "core/scheme.hpp"
#include "simulator/simulation.hpp"

// Diagnosis by synthesis: the wrong program of a row of the table of mistakes is run on the request
// that failed. If it gives the student's answer, the row's sentence is the diagnosis.

namespace nbody::check {
namespace {

// Errors of both answers, in sums of other orders.
constexpr double roundings = 4;

// The mistake to make: a simulator is made through a function without arguments of its own.
thread_local const Mistake* chosen = nullptr;
thread_local std::size_t chosen_width = usual_width;

template <typename T>
std::unique_ptr<SimulatorOf<T>> make_mistaken(const ProblemOf<T>& problem) {
  return std::make_unique<MistakenOf<T>>(problem, *chosen, chosen_width);
}

bool is_finite_body(const Vectors<double>& v, std::size_t i) {
  return is_finite(v.x[i]) && is_finite(v.y[i]) && is_finite(v.z[i]);
}

// Both have the same bodies that are not finite; these are set to zero.
bool drop_not_finite(Vectors<double>& a, Vectors<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (is_finite_body(a, i) != is_finite_body(b, i)) return false;
    if (is_finite_body(a, i)) continue;
    for (const auto axis : axes) (a.*axis)[i] = (b.*axis)[i] = 0;
  }
  return true;
}

bool same_accelerations(const Case& test, Vectors<double> got, Vectors<double> other, double fit) {
  if (got.size() != other.size() || !drop_not_finite(got, other)) return false;
  const std::vector<double>& magnitude = test.reference().magnitude;
  for (std::size_t k = 0; k < test.rows.size(); ++k) {
    const std::size_t i = test.rows[k];
    const double scale = std::max(magnitude[k], length(other, i));
    if (!(distance(got, other, i) <= fit * scale)) return false;
  }
  return true;
}

bool same_state(const Case& test, State got, State other, double step, const Tolerance& tolerance) {
  // In float an adaptive step is right to about 1e-6.
  if (!(std::abs(got.time - other.time) <= 2e-5 * std::abs(other.time))) return false;
  if (!drop_not_finite(got.position, other.position) ||
      !drop_not_finite(got.velocity, other.velocity)) {
    return false;
  }
  const double dt = std::abs(other.time) / step;
  return state_error(other, got, test.reference().magnitude, dt, tolerance, test.rows,
                     roundings * step)
             .max <= 1;
}

// By their own lengths: what cancels in a jerk is not known here.
bool same_vectors(const Vectors<double>& a, const Vectors<double>& b, double fit) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(distance(a, b, i) <= std::max(fit, 1e-3) * length(b, i))) return false;
  }
  return a.size() == b.size();
}

}  // namespace

std::optional<Answer> answer_with(const Mistake& mistake, std::size_t width, Request request,
                                  Precision precision) {
  const bool in_float = precision == Precision::single_precision;
  Implementation wrong{"wrong", "wrong", "", "", "", make_mistaken<double>};
  if (in_float) wrong.make = make_mistaken<float>;
  chosen = &mistake;
  chosen_width = width;
  request.threads = 0;
  request.jerk = false;
  try {
    return answer_request(wrong, request);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool same_answer(const Case& test, const Answer& got, const Answer& other,
                 const Tolerance& tolerance) {
  if (got.states.size() != other.states.size()) return false;
  const std::uint64_t steps = test.request.steps;
  for (std::size_t k = 0; k < got.states.size(); ++k) {
    const auto step = static_cast<double>(test.request.every_state ? k + 1 : steps);
    if (!same_state(test, got.states[k], other.states[k], std::max(step, 1.0), tolerance)) {
      return false;
    }
  }
  const double fit = roundings / 2 * tolerance.force + 16 * tolerance.digits;
  if (test.request.jerk && !same_vectors(got.jerk, other.jerk, fit)) return false;
  return !test.request.accelerations ||
         same_accelerations(test, got.accelerations, other.accelerations, fit);
}

bool concerns(const Mistake& mistake, const Case& test) {
  // Without a jerk it refuses, which says nothing about these.
  const std::string& scheme = test.request.setting.integrator;
  if (test.request.jerk || scheme_named(scheme).needs_jerk()) return false;
  if (mistake.fitted != nullptr) return false;
  const bool about_forces =
      mistake.factor != nullptr || mistake.answer != nullptr || mistake.meets_itself;
  const bool moves = mistake.moves_bodies || mistake.steps != nullptr;
  if (test.request.steps == 0 && !about_forces && !moves) return false;
  const bool about_adaptive =
      mistake.adaptive != AdaptiveStep() && !mistake.adaptive.floor_for_fixed;
  if (about_adaptive && !test.request.adaptive) return false;
  return !scheme.empty() || (mistake.kick == 1 && mistake.drift == 1);
}

bool gives(const Mistake& mistake, std::size_t width, const Case& test, const Answer& answer,
           const Subject& subject, bool must_fail) {
  const auto wrong = answer_with(mistake, width, test.request, subject.precision());
  if (!wrong || !same_answer(test, answer, *wrong, subject.tolerance())) return false;
  Row row;
  if (must_fail) judge(test, *wrong, subject.tolerance(), row);
  return !must_fail || row.verdict == Verdict::failed;
}

}  // namespace nbody::check
