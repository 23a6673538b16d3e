#include "check/diagnosis.hpp"

#include <algorithm>
#include <map>

#include "check/evidence.hpp"
#include "check/hypotheses.hpp"
#include "check/judge.hpp"
#include "check/sample.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t few = 3;

const Cause float_in_double = {
    "float_in_double",
    "right in float, not in double: float or 1.0f where real belongs, too few Newton steps, or "
    "something left out because it is small?"};

class Diagnosis {
 public:
  Diagnosis(Subject& subject, const Record& record, Rows& rows)
      : subject_(subject), record_(record), rows_(rows) {
    Group basic = Group::in_double;  // the most basic one that fails
    for (const Failure& failure : record.failures) basic = std::min(basic, failure.test->group);
    for (const Failure& failure : record.failures) {
      if (failure.test->group == basic) failures_.push_back(&failure);
    }
    for (const Case* test : record.passed) {
      if (test->group == basic) passed_.push_back(test);
    }
    std::stable_sort(failures_.begin(), failures_.end(), [](const Failure* a, const Failure* b) {
      return a->test->n() < b->test->n();
    });
    sample_ = sample_of(failures_);
  }

  void run() {
    if (failures_.empty()) return;
    if (only_digits_are_missing()) return say_as_it_is(float_in_double);
    Cause cause = certainly();
    if (cause.is_known()) return say(cause);
    if (failures_.front()->test->group > Group::exact_cases && said_alone()) return;
    for (const Failure* failure : sample_) {
      found_.push_back(hypotheses_of(subject_, *failure,
                                     [&](const Mistake& mistake) { return may_explain(mistake); }));
    }
    if (steps_differ_between_ranks()) {
      return say_as_it_is(asked_in_double() ? step_of_rank_in_double : step_of_rank);
    }
    if (chose(/*fallbacks=*/false)) return;
    cause = about_one_rank(subject_, failures_);
    if (cause.is_known()) return say(cause);
    if (said_alone() || chose(/*fallbacks=*/true)) return;
    cause = about_digits(failures_, passed_, rows_);
    if (!cause.is_known()) cause = about_little(failures_, rows_);
    say(cause.is_known() ? cause : about_sizes(failures_, passed_));
  }

 private:
  // --- what needs no vote ------------------------------------------------------------------------

  Cause certainly() {
    Cause cause = about_earlier_requests(record_, sample_);
    for (std::size_t k = 0; k < std::min(few, sample_.size()) && !cause.is_known(); ++k) {
      Row& row = rows_[sample_[k]->row];
      cause = about_repeats(subject_, record_, *sample_[k], failures_, row);
    }
    if (!cause.is_known()) cause = about_numbers_of_ranks(subject_.ranks(), failures_);
    return cause.is_known() ? cause : about_remainders(subject_.ranks(), failures_, passed_);
  }

  // All cases that fail are of one kind, which has its own sentence.
  bool said_alone() {
    const Cause& alone = failures_.front()->test->alone;
    const bool all = std::all_of(failures_.begin(), failures_.end(), [&](const Failure* failure) {
      return is(failure->test->alone, alone.mistake);
    });
    if (!all || !alone.is_known()) return false;
    say(alone);
    return true;
  }

  // Forces and fixed steps are right, and bodies move by another adaptive step than rank 0's.
  bool steps_differ_between_ranks() const {
    if (!subject_.has_ranks() || failures_.front()->test->group != Group::adaptive_step) {
      return false;
    }
    return std::any_of(found_.begin(), found_.end(), [](const Hypotheses& of_case) {
      return !of_mistake(of_case, "tail_stays") && (of_mistake(of_case, step_of_rank.mistake) ||
                                                    of_mistake(of_case, "other_accelerations"));
    });
  }

  // What explains none of the first cases will not explain most of all.
  bool may_explain(const Mistake& mistake) const {
    return found_.size() < few ||
           std::any_of(found_.begin(), found_.end(), [&](const Hypotheses& of_case) {
             return of_mistake(of_case, mistake.name) != nullptr;
           });
  }

  // --- the vote ----------------------------------------------------------------------------------

  // The same mistake in another case, with the same width.
  static const Hypothesis* same_as(const Hypothesis& one, const Hypotheses& of_case) {
    const auto found = std::find_if(of_case.begin(), of_case.end(), [&](const Hypothesis& other) {
      return is(other.cause, one.cause.mistake) && other.width == one.width;
    });
    return found == of_case.end() ? nullptr : &*found;
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
      if (same_as(hypothesis, found_[k]) == nullptr) continue;
      ++vote.explained;
      vote.fewest_bodies = std::min(vote.fewest_bodies, n);
    }
    return vote;
  }

  bool forces_err_more_than(double most) const {
    return most > 0 && std::any_of(failures_.begin(), failures_.end(), [&](const Failure* failure) {
             return failure->test->request.steps == 0 && !(rows_[failure->row].error <= most);
           });
  }

  bool convinces(const Hypothesis& hypothesis, const Vote& vote) const {
    // Softening matters in a third of the scenes; a wrong formula fails at least that often.
    const std::size_t all = failures_.size() + passed_.size();
    if (hypothesis.reach == Reach::most_cases && 6 * failures_.size() < all) return false;
    if (vote.fewest_bodies > hypothesis.shows_until) return false;
    if (forces_err_more_than(hypothesis.largest_error)) return false;
    // Not all: a giant that is not kicked moves all others, too.
    return vote.explained > 0 && 5 * vote.explained >= 3 * vote.asked;
  }

  // A wrong program must not fail where the program under test is right.
  bool contradicted(const Hypothesis& hypothesis) {
    const Mistake* mistake = mistake_named(hypothesis.cause.mistake);
    if (mistake == nullptr || mistake->fitted != nullptr) return false;
    std::size_t asked = 0;
    for (const Case* test : passed_) {
      if (test->n() < enough_bodies || test->n() > quick_bodies || !concerns(*mistake, *test) ||
          test->request.steps > most_steps) {
        continue;
      }
      if (++asked > sample_size) break;
      try {
        const Answer answer = subject_.ask(test->request);
        if (!gives(*mistake, hypothesis.width, *test, answer, subject_)) return true;
      } catch (const SessionError&) {
        return false;
      }
    }
    return false;
  }

  // Asks the program, so it remembers.
  bool is_contradicted(const Hypothesis& hypothesis) {
    const std::pair<std::string_view, std::size_t> key(hypothesis.cause.mistake, hypothesis.width);
    const auto known = contradicted_.find(key);
    if (known != contradicted_.end()) return known->second;
    return contradicted_[key] = contradicted(hypothesis);
  }

  const Hypothesis* best_of(bool fallbacks) {
    const Hypothesis* best = nullptr;
    double best_share = 0;
    for (const Hypotheses& of_case : found_) {
      for (const Hypothesis& hypothesis : of_case) {
        if ((hypothesis.reach == Reach::fallback) != fallbacks) continue;
        if (!hypothesis.cause.is_known()) continue;  // it only agrees with those of other cases
        const Vote vote = votes_for(hypothesis);
        const double share = static_cast<double>(vote.explained) / static_cast<double>(vote.asked);
        if (!convinces(hypothesis, vote) || share <= best_share) continue;
        if (is_contradicted(hypothesis)) continue;
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
      const Hypothesis* fitting = same_as(*best, found_[k]);
      if (fitting == nullptr || !fitting->cause.is_known()) continue;
      rows_[sample_[k]->row].cause = in_double(fitting->cause);
    }
    return true;
  }

  // --- sentences -------------------------------------------------------------------------------

  bool asked_in_double() const { return rows_[failures_.front()->row].in_double; }

  // The program for double is only asked if all is right in float.
  Cause in_double(Cause cause) const {
    if (asked_in_double() && cause.is_known()) {
      cause.sentence = "right in float, but in double " + cause.sentence;
    }
    return cause;
  }

  // In double as right as float could be?
  bool only_digits_are_missing() const {
    if (!asked_in_double()) return false;
    const Tolerance in_float = tolerance_named("standard", Precision::single_precision);
    return std::all_of(failures_.begin(), failures_.end(), [&](const Failure* failure) {
      Row row;
      judge(*failure->test, failure->answer, in_float, row);
      return row.verdict == Verdict::passed;
    });
  }

  void say(const Cause& cause) { say_as_it_is(in_double(cause)); }
  void say_as_it_is(const Cause& cause) {
    for (const Failure* failure : failures_) rows_[failure->row].cause = cause;
  }

  Subject& subject_;
  const Record& record_;
  Rows& rows_;
  std::vector<const Failure*> failures_, sample_;
  std::vector<const Case*> passed_;
  std::vector<Hypotheses> found_;                                          // of each in the sample
  std::map<std::pair<std::string_view, std::size_t>, bool> contradicted_;  // mistakes and widths
};

}  // namespace

void diagnose(Subject& subject, const Record& record, Rows& rows) {
  Diagnosis(subject, record, rows).run();
}

}  // namespace nbody::check
