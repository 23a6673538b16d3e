#include "check/hypotheses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/error_measure.hpp"
#include "check/force_hypotheses.hpp"
#include "check/judge.hpp"
#include "check/step_diagnosis.hpp"
#include "check/synthesis.hpp"

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
    if (test.n() > largest || !gives(mistake, test, failure.answer, subject, true)) continue;
    found.push_back({mistake.name, mistake.diagnosis, Reach::some_cases, largest});
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
  } catch (const NotBuilt&) {
    return false;
  } catch (const SavedMeanwhile&) {
    return false;
  }
}

Hypotheses wrong_forces(Subject& subject, const Failure& failure) {
  const Case& test = *failure.test;
  const Scene scene = scene_of(test.request);
  const WrongForces wrong{scene, test.reference(), failure.answer.accelerations};
  const std::string not_finite = diagnose_not_finite(wrong);
  Hypotheses found;
  if (not_finite.empty()) {
    found = fitted_force_mistakes(wrong, force_limit(subject.tolerance(), test.n()));
  }
  if (found.empty() && right_in_double(subject, test)) {
    const bool all_nan = std::all_of(wrong.got.x.begin(), wrong.got.x.end(), is_nan);
    found.push_back(
        {"range",
         all_nan ? "right in double, NaN for every body in float: 0/0 where a body meets itself? "
                   "A constant like 1e-50 is 0 in float"
                 : "right in double: in float a product leaves its range (G*m*m? the distance to "
                   "the sixth?)"});
  }
  if (!not_finite.empty()) found.push_back({"not finite", not_finite});
  if (!found.empty()) return found;
  const std::string one = diagnose_one_axis(wrong, force_limit(subject.tolerance(), test.n()));
  if (!one.empty()) found.push_back({"one axis", one, Reach::fallback});
  return found;
}

}  // namespace

bool is_in_one_go(const Case& test) {
  return !test.request.want_every_state && test.request.steps > 1;
}

const Hypothesis* of_mistake(const Hypotheses& all, std::string_view mistake) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Hypothesis& one) { return one.mistake == mistake; });
  return found == all.end() ? nullptr : &*found;
}

bool gives(const Mistake& mistake, const Case& test, const protocol::Answer& answer,
           const Subject& subject, bool must_fail) {
  for (const std::size_t width : widths) {
    if (width != usual_width && !mistake.any_width) continue;
    const auto wrong = answer_with(mistake, width, test.request, subject.precision());
    if (!wrong || !same_answer(test, answer, *wrong, subject.tolerance())) continue;
    Row row;
    if (must_fail) judge(test, *wrong, subject.tolerance(), row);
    if (!must_fail || row.verdict == Verdict::failed) return true;
  }
  return false;
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
    if (subject.has_ranks() && std::string_view(one.mistake) == "other step") {
      one.sentence = step_of_rank_text;
    }
    found.push_back(std::move(one));
  }
  if (test.group == Group::integrators) {
    found.push_back({"integrator",
                     fmt::format("right by Eq. 4 and 5, wrong by {}: look at kick() and drift()",
                                 test.request.setting.integrator),
                     Reach::fallback});
  }
  if (test.group == Group::jerk) {
    found.push_back({"jerk",
                     "da/dt is wrong, the accelerations are right: look at "
                     "accelerations_and_jerk()"});
  }
  return found;
}

}  // namespace nbody::check
