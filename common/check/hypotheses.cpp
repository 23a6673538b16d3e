#include "check/hypotheses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/fitters.hpp"
#include "check/judge.hpp"
#include "check/mistakes/mistaken.hpp"
#include "check/step_bounds.hpp"
#include "physics/scheme.hpp"
#include "simulator/simulation.hpp"

namespace nbody::check {
namespace {

using protocol::Answer, protocol::State;

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

Hypotheses by_synthesis(const Subject& subject, const Failure& failure,
                        const std::function<bool(const Mistake&)>& may_explain) {
  Hypotheses found;
  const Case& test = *failure.test;
  if (test.n() > most_bodies || test.request.steps > most_steps) return found;
  for (const Mistake& mistake : mistakes()) {
    if (!concerns(mistake, test) || !may_explain(mistake)) continue;
    const std::size_t largest = mistake.any_width ? most_bodies : quick_bodies;
    if (test.n() > largest) continue;
    for (const std::size_t width : widths) {
      if (width != usual_width && !mistake.any_width) continue;
      if (!gives(mistake, width, test, failure.answer, subject, true)) continue;
      // Fewer bodies than are taken at a time show too little of it.
      const bool shows = !mistake.any_width || width <= test.n();
      found.push_back({.cause = {mistake.name, shows ? mistake.diagnosis : ""},
                       .largest_n = largest,
                       .width = width});
    }
  }
  return found;
}

bool right_in_double(Subject& subject, const Case& test) {
  try {
    Subject* twin = subject.in_double();
    if (twin == nullptr) return false;
    Row row;
    judge(test, twin->ask(test.request), subject.tolerance(), row);
    return row.verdict == Verdict::passed;
  } catch (const protocol::SessionError&) {
    return false;
  } catch (const NoDouble&) {
    return false;
  }
}

Hypotheses wrong_forces(Subject& subject, const Failure& failure) {
  const Case& test = *failure.test;
  if (test.n() > most_fitted) return {};
  const Scene scene = scene_of(test.request);
  // Of many bodies only some were compared; a number is fitted to all.
  const Reference reference = test.rows.size() < test.n() ? reference_of(scene) : test.reference();
  const WrongForces wrong{scene, reference, failure.answer.accelerations};
  const double limit = force_limit(subject.tolerance(), test.n());
  const std::string not_finite = diagnose_not_finite(wrong);
  Hypotheses found;
  if (not_finite.empty()) found = fitted_force_mistakes(wrong, limit);
  if (found.empty() && right_in_double(subject, test)) {
    const bool all_nan = std::all_of(wrong.got.x.begin(), wrong.got.x.end(), is_nan);
    found.push_back(
        {{"range",
          all_nan ? "right in double, NaN for every body in float: 0/0 where a body meets itself? "
                    "A constant like 1e-50 is 0 in float"
                  : "right in double: in float a product leaves its range (G*m*m? the distance to "
                    "the sixth?)"}});
  }
  if (!not_finite.empty()) found.push_back({{"not_finite", not_finite}});
  const std::string one = found.empty() ? diagnose_one_axis(wrong, limit) : "";
  if (!one.empty()) found.push_back({{"one_axis", one}, Reach::fallback});
  return found;
}

// By their own lengths: what cancels in a jerk is not known here.
bool same_vectors(const Vectors<double>& a, const Vectors<double>& b, double fit) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(distance(a, b, i) <= std::max(fit, 1e-3) * length(b, i))) return false;
  }
  return a.size() == b.size();
}

// What a step of a scheme asks of a simulator, beyond Eq. 4 and 5.
const char* asked_by(const Scheme& scheme) {
  if (scheme.needs_jerk()) return "accelerations_and_jerk()";
  if (scheme.sequence.empty()) return "what a new simulator computes for bodies that were moved";
  return "kick() and drift()";
}

}  // namespace

std::optional<Answer> answer_with(const Mistake& mistake, std::size_t width,
                                  protocol::Request request, protocol::Precision precision) {
  const bool in_float = precision == protocol::Precision::single_precision;
  Implementation wrong{"wrong", "wrong", "", "", "", make_mistaken<double>};
  if (in_float) wrong.make = make_mistaken<float>;
  chosen = &mistake;
  chosen_width = width;
  request.precision = precision;
  request.threads = 0;
  request.ranks = 0;
  request.want_jerk = false;
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
    const auto step = static_cast<double>(test.request.want_every_state ? k + 1 : steps);
    if (!same_state(test, got.states[k], other.states[k], std::max(step, 1.0), tolerance)) {
      return false;
    }
  }
  const double fit = roundings / 2 * tolerance.force + 16 * tolerance.digits;
  if (test.request.want_jerk && !same_vectors(got.jerk, other.jerk, fit)) return false;
  return !test.request.want_accelerations ||
         same_accelerations(test, got.accelerations, other.accelerations, fit);
}

bool concerns(const Mistake& mistake, const Case& test) {
  // The wrong programs compute no jerk.
  if (mistake.fitted != nullptr || test.request.want_jerk) return false;
  const bool about_forces =
      mistake.factor != nullptr || mistake.answer != nullptr || mistake.meets_itself;
  const bool moves = mistake.moves_bodies || mistake.steps != nullptr;
  if (test.request.steps == 0 && !about_forces && !moves) return false;
  const bool about_adaptive =
      mistake.adaptive != AdaptiveStep() && !mistake.adaptive.floor_for_fixed;
  if (about_adaptive && !test.request.adaptive) return false;
  const bool by_moves = !test.request.setting.integrator.empty();
  return by_moves || (mistake.kick == 1 && mistake.drift == 1);
}

const Hypothesis* of_mistake(const Hypotheses& all, std::string_view mistake) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Hypothesis& one) { return is(one.cause, mistake); });
  return found == all.end() ? nullptr : &*found;
}

bool gives(const Mistake& mistake, std::size_t width, const Case& test,
           const protocol::Answer& answer, const Subject& subject, bool must_fail) {
  const auto wrong = answer_with(mistake, width, test.request, subject.precision());
  if (!wrong || !same_answer(test, answer, *wrong, subject.tolerance())) return false;
  Row row;
  if (must_fail) judge(test, *wrong, subject.tolerance(), row);
  return !must_fail || row.verdict == Verdict::failed;
}

Hypotheses hypotheses_of(Subject& subject, const Failure& failure,
                         const std::function<bool(const Mistake&)>& may_explain) {
  const Case& test = *failure.test;
  Hypotheses found = by_synthesis(subject, failure, may_explain);
  Hypotheses fitted;
  if (test.request.steps > 0) {
    fitted = fitted_step_mistakes(test, failure.answer, subject.tolerance());
  } else if (test.request.want_accelerations) {
    fitted = wrong_forces(subject, failure);
  }
  for (Hypothesis& one : fitted) {
    one.single_steps_only = !is_in_one_go(test);
    if (subject.has_ranks() && is(one.cause, "other_step")) one.cause = step_of_rank;
    found.push_back(std::move(one));
  }
  if (test.group == Group::integrators) {
    const std::string& scheme = test.request.setting.integrator;
    found.push_back(
        {{"integrator",
          fmt::format("right by Eq. 4 and 5, wrong by {}{}: look at {}{}", scheme,
                      test.request.adaptive ? " with an adaptive step" : "",
                      asked_by(scheme_named(scheme)),
                      failure.wrong_length ? ", and at whether each step is computed anew" : "")},
         Reach::fallback});
  }
  if (test.group == Group::jerk) {
    found.push_back(
        {{"jerk",
          "compute_accelerations() is right, accelerations_and_jerk() is not: da/dt, or "
          "the accelerations beside it"}});
  }
  return found;
}

}  // namespace nbody::check
