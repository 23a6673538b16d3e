#include "check/hypotheses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/fitters.hpp"
#include "check/judge.hpp"
#include "core/scheme.hpp"

namespace nbody::check {
namespace {

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
  } catch (const SessionError&) {
    return false;
  }
}

// Right in double: what has float too few of?
Cause wrong_in_float(const WrongForces& wrong) {
  constexpr double some_digits = 1e-2;
  if (std::all_of(wrong.got.x.begin(), wrong.got.x.end(), is_nan)) {
    return {"guard",
            "right in double, NaN for every body in float: 0/0 where a body meets itself? A "
            "constant like 1e-50 is 0 in float"};
  }
  const double error = force_error(wrong.reference, wrong.got).max;
  if (error > some_digits) {
    return {"range",
            "right in double: in float a product leaves its range (G*m*m? the distance to the "
            "sixth?)"};
  }
  return {"digits",
          fmt::format("right in double, in float only to about {:.0f} digits: a root with too few "
                      "Newton steps, or digits that cancel (r^2 from |a|^2 + |b|^2 - 2 a.b, "
                      "positions that are moved first)?",
                      -std::log10(error))};
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
  if (found.empty() && right_in_double(subject, test)) found.push_back({wrong_in_float(wrong)});
  if (!not_finite.empty()) found.push_back({{"not_finite", not_finite}});
  const std::string one = found.empty() ? diagnose_one_axis(wrong, limit) : "";
  if (!one.empty()) found.push_back({{"one_axis", one}, Reach::fallback});
  return found;
}

// What a step of a scheme asks of a simulator, beyond Eq. 4 and 5.
const char* asked_by(const Scheme& scheme) {
  if (scheme.needs_jerk()) return "accelerations_and_jerk()";
  if (scheme.sequence.empty()) return "what a new simulator computes for bodies that were moved";
  return "kick() and drift()";
}

}  // namespace

const Hypothesis* of_mistake(const Hypotheses& all, std::string_view mistake) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Hypothesis& one) { return is(one.cause, mistake); });
  return found == all.end() ? nullptr : &*found;
}

Hypotheses hypotheses_of(Subject& subject, const Failure& failure,
                         const std::function<bool(const Mistake&)>& may_explain) {
  const Case& test = *failure.test;
  Hypotheses found = by_synthesis(subject, failure, may_explain);
  Hypotheses fitted;
  if (test.request.steps > 0) {
    fitted = fitted_step_mistakes(test, failure.answer, subject.tolerance());
  } else if (test.request.accelerations) {
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
