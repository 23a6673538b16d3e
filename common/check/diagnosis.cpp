#include "check/diagnosis.hpp"

#include <algorithm>
#include <climits>

#include "check/evidence.hpp"
#include "check/hypotheses.hpp"
#include "check/judge.hpp"
#include "check/sample.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t few = 3;

const char* const digits_text =
    "right in float, not in double: float or 1.0f where real belongs, or too few Newton steps?";

// Cases that fail together, the most basic first.
int stage_of(const Case& test) { return static_cast<int>(test.group); }

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
    sample_ = sample_of(failures_);
  }

  void run() {
    if (failures_.empty()) return;
    if (only_digits_are_missing()) return say_as_it_is(digits_text);
    const std::string certain = certainly();
    if (!certain.empty()) return say(certain);
    if (failures_.front()->test->group > Group::exact_cases && said_alone()) return;
    for (const Failure* failure : sample_) {
      found_.push_back(hypotheses_of(subject_, *failure,
                                     [&](const Mistake& mistake) { return may_explain(mistake); }));
    }
    if (steps_differ_between_ranks()) return say(step_of_rank_text);
    if (chose(/*fallbacks=*/false)) return;
    std::string sentence = about_one_rank(subject_, *failures_.front());
    if (!sentence.empty()) return say(sentence);
    if (said_alone() || chose(/*fallbacks=*/true)) return;
    sentence = about_digits(failures_, passed_, rows_);
    if (sentence.empty()) sentence = about_little(failures_, rows_);
    say(sentence.empty() ? about_sizes(failures_, passed_) : sentence);
  }

 private:
  // --- what needs no vote ------------------------------------------------------------------------

  std::string certainly() {
    std::string sentence = about_earlier_requests(record_, sample_);
    for (std::size_t k = 0; k < std::min(few, sample_.size()) && sentence.empty(); ++k) {
      Row& row = rows_[sample_[k]->row];
      sentence = about_repeats(subject_, record_, *sample_[k], row);
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
    say(std::string(alone));
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

  // What explains none of the first cases will not explain most of all.
  bool may_explain(const Mistake& mistake) const {
    return found_.size() < few ||
           std::any_of(found_.begin(), found_.end(), [&](const Hypotheses& of_case) {
             return of_mistake(of_case, mistake.name) != nullptr;
           });
  }

  // --- the vote ----------------------------------------------------------------------------------

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
    // Not all: a giant that is not kicked moves all others, too.
    return vote.explained > 0 && 5 * vote.explained >= 3 * vote.asked;
  }

  // A wrong program must not fail where the program under test is right.
  bool contradicted(std::string_view name) {
    const Mistake* mistake = mistake_named(name);
    if (mistake == nullptr || mistake->fitted != nullptr) return false;
    std::size_t asked = 0;
    for (const Case* test : passed_) {
      if (test->n() < enough_bodies || test->n() > quick_bodies || !concerns(*mistake, *test) ||
          test->request.steps > most_steps) {
        continue;
      }
      if (++asked > sample_size) break;
      try {
        if (!gives(*mistake, *test, subject_.ask(test->request), subject_)) return true;
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
        if (hypothesis.sentence.empty()) continue;  // it only agrees with those of other cases
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

  void say(const std::string& sentence) { say_as_it_is(in_double(sentence)); }
  void say_as_it_is(const std::string& sentence) {
    for (const Failure* failure : failures_) rows_[failure->row].diagnosis = sentence;
  }

  Subject& subject_;
  const Record& record_;
  Rows& rows_;
  std::vector<const Failure*> failures_, sample_;
  std::vector<const Case*> passed_;
  std::vector<Hypotheses> found_;  // of each in the sample
};

}  // namespace

void diagnose(Subject& subject, const Record& record, Rows& rows) {
  Diagnosis(subject, record, rows).run();
}

}  // namespace nbody::check
