#include "check/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>

#include "check/error_measure.hpp"
#include "check/evidence.hpp"
#include "check/force_diagnosis.hpp"
#include "check/force_hypotheses.hpp"
#include "check/judge.hpp"
#include "check/step_bounds.hpp"
#include "check/step_diagnosis.hpp"
#include "check/synthesis.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t enough_bodies = 7;   // with fewer, many mistakes look alike
constexpr std::size_t quick_bodies = 130;  // a hundred wrong programs are run on up to so many
constexpr std::size_t most_bodies = 1100;
constexpr std::size_t sample_size = 10, few = 3;
constexpr std::uint64_t most_steps = 200;  // in a wrong program's run

const char* const step_of_rank_text =
    "the bodies do not move by the step that rank 0 returns: does each rank take a time step of "
    "its own (no MPI_Allreduce)?";

// Cases that fail together, the most basic first.
int stage_of(const Case& test) { return static_cast<int>(test.group); }

// A single step tells more than many in one go.
bool is_in_one_go(const Case& test) {
  return !test.request.want_every_state && test.request.steps > 1;
}

class Diagnosis {
 public:
  Diagnosis(Subject& subject, const Record& record, Rows& rows)
      : subject_(subject), record_(record), rows_(rows) {
    int stage = INT_MAX;
    for (const Failure& failure : record.failures) {
      stage = std::min(stage, stage_of(*failure.test));
    }
    for (const Failure& failure : record.failures) {
      if (stage_of(*failure.test) == stage) failures_.push_back(&failure);
    }
    for (const Case* test : record.passed) {
      if (stage_of(*test) == stage) passed_.push_back(test);
    }
    std::stable_sort(failures_.begin(), failures_.end(), [](const Failure* a, const Failure* b) {
      return a->test->n() < b->test->n();
    });
    choose_sample();
  }

  void run() {
    if (failures_.empty()) return;
    const std::string certain = certainly();
    if (!certain.empty()) return say(failures_, certain);
    if (failures_.front()->test->group != Group::forces && said_alone()) return;
    for (const Failure* failure : sample_) found_.push_back(hypotheses(*failure));
    if (steps_differ_between_ranks()) return say(failures_, step_of_rank_text);
    if (chose(/*fallbacks=*/false) || said_alone() || chose(/*fallbacks=*/true)) return;
    say(failures_, about_sizes(failures_, passed_));
  }

 private:
  // Few bodies tell most, and a wrong program runs quickly on them; a mistake that needs more is
  // looked for in the smallest cases that fail, and in larger ones. A few cases of steps in one go
  // tell apart what single steps cannot.
  void choose_sample() {
    std::vector<const Failure*> usual, in_one_go, larger, smaller;
    for (const Failure* failure : failures_) {
      const std::size_t n = failure->test->n();
      (n < enough_bodies              ? smaller
       : n > quick_bodies             ? larger
       : is_in_one_go(*failure->test) ? in_one_go
                                      : usual)
          .push_back(failure);
    }
    take(usual, sample_size);
    take(in_one_go, usual.empty() ? sample_size : few);
    if (!larger.empty() && larger.front()->test->n() > most_bodies) larger.resize(1);
    std::erase_if(larger, [&](const Failure* failure) {
      return failure->test->n() > most_bodies && !sample_.empty();
    });
    take(larger, sample_.empty() ? sample_size : few - 1);
    if (sample_.empty()) take(smaller, sample_size);
  }

  // Evenly spread ones.
  void take(const std::vector<const Failure*>& from, std::size_t count) {
    const std::size_t step = std::max<std::size_t>(1, from.size() / count);
    for (std::size_t k = 0; k < from.size() && k / step < count; k += step) {
      sample_.push_back(from[k]);
    }
  }

  // --- what needs no vote ------------------------------------------------------------------------

  std::string certainly() {
    std::string sentence = about_earlier_requests(record_, sample_);
    for (std::size_t k = 0; k < std::min(few, sample_.size()) && sentence.empty(); ++k) {
      Row& row = rows_[sample_[k]->row];
      sentence = about_repeats(subject_, record_.has_kernels, *sample_[k], row);
    }
    if (!sentence.empty()) return sentence;
    return about_remainders(subject_.ranks(), failures_, passed_);
  }

  // All cases that fail are of one kind, which has its own sentence.
  bool said_alone() {
    const std::string_view alone = failures_.front()->test->alone;
    const bool all = std::all_of(failures_.begin(), failures_.end(), [&](const Failure* failure) {
      return failure->test->alone == alone;
    });
    if (!all || alone.empty()) return false;
    say(failures_, std::string(alone));
    return true;
  }

  // Forces and fixed steps are right, and bodies move by another adaptive step than rank 0's.
  bool steps_differ_between_ranks() const {
    if (!subject_.has_ranks() || failures_.front()->test->group != Group::adaptive_step) {
      return false;
    }
    return std::any_of(found_.begin(), found_.end(), [](const Hypotheses& of_case) {
      return of_mistake(of_case, "other step") || of_mistake(of_case, "other accelerations");
    });
  }

  // --- hypotheses for one wrong answer -----------------------------------------------------------

  Hypotheses hypotheses(const Failure& failure) {
    const Case& test = *failure.test;
    Hypotheses found = by_synthesis(failure);
    const bool forces_alone = test.request.steps == 0;
    for (Hypothesis& one : forces_alone
                               ? wrong_forces(failure)
                               : fitted_step_mistakes(test, failure.answer, subject_.tolerance())) {
      one.single_steps_only = !is_in_one_go(test);
      if (subject_.has_ranks() && std::string_view(one.mistake) == "other step") {
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

  Hypotheses by_synthesis(const Failure& failure) {
    Hypotheses found;
    const Case& test = *failure.test;
    if (test.n() > most_bodies || test.request.steps > most_steps) return found;
    for (const Mistake& mistake : mistakes()) {
      if (!concerns(mistake, test) || !may_explain(mistake)) continue;
      const std::size_t largest = mistake.any_width ? most_bodies : quick_bodies;
      if (test.n() > largest || !gives(mistake, test, failure.answer, true)) continue;
      found.push_back({mistake.name, mistake.diagnosis, Reach::some_cases, largest});
    }
    return found;
  }

  // What explains none of the first cases will not explain most of all.
  bool may_explain(const Mistake& mistake) const {
    return found_.size() < few ||
           std::any_of(found_.begin(), found_.end(), [&](const Hypotheses& of_case) {
             return of_mistake(of_case, mistake.name) != nullptr;
           });
  }

  // Is this the wrong program's answer? One that is wrong in this case, if a failure is explained.
  bool gives(const Mistake& mistake, const Case& test, const protocol::Answer& answer,
             bool must_fail = false) const {
    for (const std::size_t width : widths) {
      if (width != usual_width && !mistake.any_width) continue;
      const auto wrong = answer_with(mistake, width, test.request, subject_.precision());
      if (!wrong || !same_answer(test, answer, *wrong, subject_.tolerance())) continue;
      Row row;
      if (must_fail) judge(test, *wrong, subject_.tolerance(), row);
      if (!must_fail || row.verdict == Verdict::failed) return true;
    }
    return false;
  }

  Hypotheses wrong_forces(const Failure& failure) {
    const Case& test = *failure.test;
    const Scene scene = scene_of(test.request);
    const WrongForces wrong{scene, test.reference(), failure.answer.accelerations};
    const double limit = force_limit(subject_.tolerance(), test.n());
    const std::string not_finite = diagnose_not_finite(wrong);
    Hypotheses found;
    if (not_finite.empty()) found = fitted_force_mistakes(wrong, limit);
    if (found.empty() && right_in_double(failure)) {
      const bool all_nan = std::all_of(wrong.got.x.begin(), wrong.got.x.end(), is_nan);
      found.push_back(
          {"range",
           all_nan ? "right in double, NaN for every body in float: 0/0 where a body meets itself? "
                     "A constant like 1e-50 is 0 in float"
                   : "right in double: in float a product leaves its range (G*m*m? the distance to "
                     "the sixth?)"});
    }
    if (!not_finite.empty()) found.push_back({"not finite", not_finite});
    return found;
  }

  bool right_in_double(const Failure& failure) {
    try {
      Subject* twin = subject_.in_double();
      if (twin == nullptr) return false;
      Row row;
      judge(*failure.test, twin->ask(failure.test->request), subject_.tolerance(), row);
      return row.verdict == Verdict::passed;
    } catch (const protocol::SessionError&) {
      return false;
    } catch (const NotBuilt&) {
      return false;
    }
  }

  // --- the vote ----------------------------------------------------------------------------------

  static const Hypothesis* of_mistake(const Hypotheses& all, std::string_view mistake) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Hypothesis& one) { return one.mistake == mistake; });
    return found == all.end() ? nullptr : &*found;
  }

  struct Vote {
    std::size_t asked = 0, explained = 0;
    std::size_t fewest_bodies = SIZE_MAX;  // of a case that it explains
  };

  Vote votes_for(const Hypothesis& hypothesis) const {
    Vote vote;
    for (std::size_t k = 0; k < sample_.size(); ++k) {
      const std::size_t n = sample_[k]->test->n();
      if (n > hypothesis.largest_n) continue;
      if (hypothesis.single_steps_only && is_in_one_go(*sample_[k]->test)) continue;
      ++vote.asked;
      if (of_mistake(found_[k], hypothesis.mistake) == nullptr) continue;
      ++vote.explained;
      vote.fewest_bodies = std::min(vote.fewest_bodies, n);
    }
    return vote;
  }

  bool convinces(const Hypothesis& hypothesis, const Vote& vote) const {
    // Softening matters in a third of the scenes; a wrong formula fails at least that often.
    const std::size_t all = failures_.size() + passed_.size();
    if (hypothesis.reach == Reach::most_cases && 6 * failures_.size() < all) return false;
    if (vote.fewest_bodies > hypothesis.shows_until) return false;
    return vote.explained > 0 && 4 * vote.explained >= 3 * vote.asked;
  }

  // A wrong program must not fail where the program under test is right.
  bool contradicted(std::string_view name) {
    const Mistake* mistake = mistake_named(name);
    if (mistake == nullptr || mistake->recognised != Recognised::by_synthesis) return false;
    std::size_t asked = 0;
    for (const Case* test : passed_) {
      if (test->n() < enough_bodies || test->n() > quick_bodies || !concerns(*mistake, *test) ||
          test->request.steps > most_steps) {
        continue;
      }
      if (++asked > sample_size) break;
      try {
        if (!gives(*mistake, *test, subject_.ask(test->request))) return true;
      } catch (const protocol::SessionError&) {
        return false;
      }
    }
    return false;
  }

  const Hypothesis* best_of(bool fallbacks) {
    const Hypothesis* best = nullptr;
    double best_share = 0;
    for (const Hypotheses& of_case : found_) {
      for (const Hypothesis& hypothesis : of_case) {
        if ((hypothesis.reach == Reach::fallback) != fallbacks) continue;
        const Vote vote = votes_for(hypothesis);
        const double share = static_cast<double>(vote.explained) / static_cast<double>(vote.asked);
        if (!convinces(hypothesis, vote) || share <= best_share) continue;
        if (contradicted(hypothesis.mistake)) continue;
        best = &hypothesis;
        best_share = share;
      }
    }
    return best;
  }

  bool chose(bool fallbacks) {
    const Hypothesis* best = best_of(fallbacks);
    if (best == nullptr) return false;
    for (std::size_t k = 0; k < sample_.size(); ++k) {
      const Hypothesis* fitting = of_mistake(found_[k], best->mistake);
      if (fitting != nullptr) rows_[sample_[k]->row].diagnosis = in_double(fitting->sentence);
    }
    return true;
  }

  // --- sentences -------------------------------------------------------------------------------

  // The program for double is only asked if all is right in float.
  std::string in_double(const std::string& sentence) const {
    if (!rows_[failures_.front()->row].in_double || sentence.empty()) return sentence;
    return "right in float, but in double " + sentence;
  }

  // In double as right as float could be?
  bool only_digits_are_missing() const {
    if (!rows_[failures_.front()->row].in_double) return false;
    const Tolerance in_float = tolerance_named("standard", protocol::Precision::single_precision);
    return std::all_of(failures_.begin(), failures_.end(), [&](const Failure* failure) {
      Row row;
      judge(*failure->test, failure->answer, in_float, row);
      return row.verdict == Verdict::passed;
    });
  }

  void say(const std::vector<const Failure*>& failures, const std::string& sentence) {
    for (const Failure* failure : failures) rows_[failure->row].diagnosis = in_double(sentence);
  }

 public:
  // Before anything else: it explains all of them.
  bool said_digits() {
    if (failures_.empty() || !only_digits_are_missing()) return false;
    for (const Failure* failure : failures_) {
      rows_[failure->row].diagnosis =
          "right in float, not in double: float or 1.0f where real belongs, or too few Newton "
          "steps?";
    }
    return true;
  }

 private:
  Subject& subject_;
  const Record& record_;
  Rows& rows_;
  std::vector<const Failure*> failures_, sample_;
  std::vector<const Case*> passed_;
  std::vector<Hypotheses> found_;  // of each in the sample
};

}  // namespace

void diagnose(Subject& subject, const Record& record, Rows& rows) {
  Diagnosis diagnosis(subject, record, rows);
  if (!diagnosis.said_digits()) diagnosis.run();
}

}  // namespace nbody::check
