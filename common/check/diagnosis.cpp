#include "check/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "check/case_list.hpp"
#include "check/experiments.hpp"
#include "check/judge.hpp"
#include "check/rerun.hpp"
#include "check/seen.hpp"
#include "check/splits.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t few = 2;            // failures that are looked at with all rows
constexpr std::size_t most = 5;           // failures of single steps or forces that vote
constexpr std::size_t enough_bodies = 7;  // with fewer, many mistakes look alike
constexpr std::size_t quick_bodies = 130;

const Cause float_in_double = {
    "float_in_double",
    "right in float, not in double: float or 1.0f where real belongs, too few Newton steps, or "
    "something left out because it is small?"};
const Cause step_of_rank = {
    "step_of_rank",
    "the bodies do not move by the step that rank 0 returns: does each rank take a time step of "
    "its own (no MPI_Allreduce)?"};
// In float all was right, so the smallest step is shared.
const Cause step_of_rank_in_double = {
    step_of_rank.mistake,
    "right in float, but in double the bodies do not move by the step that rank 0 returns: is it "
    "sent as MPI_FLOAT where real is double?"};

// What explains one wrong answer: a row with a number, or a fact.
struct Hypothesis {
  const Mistake* row = nullptr;  // null: a fact
  double x = 0;
  Cause cause = {};
  bool shows = true;       // else it fits, but another case shows it better
  bool fallback = false;   // it says where to look, not what is wrong
  bool in_one_go = false;  // a fact of a run, or of single steps
};
using Hypotheses = std::vector<Hypothesis>;

// Is a number the same in all cases, or has each its own?
bool is_of_the_program(Number number) {
  return number == Number::none || number == Number::width || number == Number::factor ||
         number == Number::added || number == Number::keep || number == Number::share;
}

bool agree(const Hypothesis& one, const Hypothesis& other) {
  if (one.row != other.row || !is(one.cause, other.cause.mistake)) return false;
  if (one.row == nullptr || !is_of_the_program(one.row->number)) return true;
  const double miss = one.row->number == Number::added ? 0.5 : 1e-3;
  return std::abs(one.x - other.x) <= miss * std::abs(one.x);
}

// Fewer bodies than are taken at a time show too little of it; and if all are lost, not from where.
bool shows(const Mistake& row, double x, std::size_t n) {
  if (row.number == Number::width) return x <= static_cast<double>(n);
  const bool index = row.number == Number::target_index || row.number == Number::moved_index ||
                     row.number == Number::search_index;
  return !index || x > 1;
}

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
    sample_ = sample();
  }

  void run() {
    if (failures_.empty()) return about_deaths();
    if (only_digits_are_missing()) return say_as_it_is(float_in_double);
    Cause cause = certainly();
    if (cause.is_known()) return say(cause);
    const Case& fewest = *failures_.front()->test;
    const bool forces = fewest.group <= Group::exact_cases;
    // Scenes of other kinds have the same numbers of bodies: only the plane makes flat ones fail.
    const bool only_the_kind = !forces || is(fewest.alone, "equal_coordinates");
    if (fewest.group != Group::exact_cases && only_the_kind && said_alone()) return;
    for (const Failure* failure : sample_) found_.push_back(hypotheses_of(*failure));
    if (steps_differ_between_ranks()) {
      return say_as_it_is(asked_in_double() ? step_of_rank_in_double : step_of_rank);
    }
    if (chose(/*fallbacks=*/false)) return;
    cause = about_digits(failures_, passed_, rows_, /*fallback=*/false);
    if (cause.is_known()) return say(cause);
    if (forces && said_in_double()) return;
    cause = about_one_rank(subject_, failures_);
    if (cause.is_known()) return say(cause);
    if (said_alone()) return;
    if (are_right_until_the_end()) cause = about_later_steps(failures_, passed_, record_.passed);
    if (cause.is_known()) return say(cause);
    // That only so many bodies are wrong says more than which of their numbers are.
    if (fewest.n() > sampled_from) cause = about_sizes(failures_, passed_);
    if (cause.is_known()) return say(cause);
    if (chose(/*fallbacks=*/true)) return;
    cause = about_digits(failures_, passed_, rows_, /*fallback=*/true);
    say(cause.is_known() ? cause : about_sizes(failures_, passed_));
  }

 private:
  // Few bodies tell most, and a wrong program runs quickly on them; a mistake that needs more is
  // looked for in the smallest that fail, and in larger ones. A few cases of steps in one go tell
  // apart what single steps cannot.
  std::vector<const Failure*> sample() const {
    std::vector<const Failure*> usual, in_one_go, larger, smaller, taken;
    for (const Failure* failure : failures_) {
      const std::size_t n = failure->test->n();
      (n < enough_bodies              ? smaller
       : n > quick_bodies             ? larger
       : is_in_one_go(*failure->test) ? in_one_go
                                      : usual)
          .push_back(failure);
    }
    const auto take = [&](const std::vector<const Failure*>& from, std::size_t count) {
      const std::size_t step = std::max<std::size_t>(1, from.size() / count);
      for (std::size_t k = 0; k < from.size() && k / step < count; k += step) {
        taken.push_back(from[k]);
      }
    };
    take(usual, most);
    take(in_one_go, usual.empty() ? most : few);
    if (taken.size() < most) larger.resize(std::min(larger.size(), most - taken.size()));
    if (taken.size() < most) take(larger, most);
    if (taken.empty()) take(smaller, most);
    return taken;
  }

  // --- what needs no vote ------------------------------------------------------------------------

  Cause certainly() {
    Cause cause = about_earlier_requests(record_, sample_);
    for (std::size_t k = 0; k < std::min(few + 1, sample_.size()) && !cause.is_known(); ++k) {
      Row& row = rows_[sample_[k]->row];
      cause = about_repeats(subject_, record_, *sample_[k], failures_, patience_, row);
    }
    return cause.is_known() ? cause : about_numbers_of_ranks(subject_.ranks(), failures_, passed_);
  }

  // No single step is wrong, only what is computed after it.
  bool are_right_until_the_end() const {
    return std::all_of(failures_.begin(), failures_.end(), [&](const Failure* failure) {
      Case test = *failure->test;
      if (test.request.steps != 1 || !test.request.accelerations) return test.request.steps > 1;
      test.request.accelerations = false;
      Row row;
      judge(test, failure->answer, subject_.tolerance(), row);
      return row.verdict == Verdict::passed;
    });
  }

  // All cases that fail are of one kind, which has its own sentence.
  bool said_alone() {
    const Cause& alone = failures_.front()->test->alone;
    const auto alike = std::count_if(
        failures_.begin(), failures_.end(),
        [&](const Failure* failure) { return is(failure->test->alone, alone.mistake); });
    const auto all = static_cast<std::ptrdiff_t>(failures_.size());
    // Of many bodies some have a coordinate in common outside the plane, too.
    const bool most_count = is(alone, "equal_coordinates");
    if (!alone.is_known() || (most_count ? 10 * alike < 8 * all : alike < all)) return false;
    // On ranks that may be chance: long messages that are overwritten, in few cases.
    const Cause of_ranks = about_one_rank(subject_, failures_);
    say(of_ranks.is_known() ? of_ranks : alone);
    return true;
  }

  // In double it is right, or there are numbers that are not finite.
  bool said_in_double() {
    std::size_t said = 0;
    for (std::size_t k = 0; k < sample_.size(); ++k) {
      const Failure& failure = *sample_[k];
      Cause cause;
      if (k < few) cause = about_float(subject_, failure, rows_[failure.row].error);
      if (cause.is_known()) {
        say(cause);
        return true;
      }
      cause = about_not_finite(Seen(failure, subject_.tolerance()));
      if (!cause.is_known()) continue;
      rows_[failure.row].cause = in_double(cause);
      ++said;
    }
    return said > 0;
  }

  // Where the program died in all adaptive steps, and is right in all else: it has answered no
  // request with one.
  void about_deaths() {
    const bool answered =
        std::any_of(record_.asked.begin(), record_.asked.end(),
                    [](const Case* test) { return test->request.adaptive && test->n() > 1; });
    if (answered || record_.passed.size() < few) return;
    for (Row& row : rows_) {
      if (!is(row.cause, "died")) continue;
      row.cause.sentence +=
          "; it dies in adaptive steps only: does largest_time_step() read an array that another "
          "function fills? Is that one spelt as in Naive, with `override` behind it? Else Naive's "
          "is called";
    }
  }

  // Forces and fixed steps are right, and bodies move by another adaptive step than rank 0's.
  bool steps_differ_between_ranks() const {
    if (!subject_.has_ranks() || failures_.front()->test->group != Group::adaptive_step) {
      return false;
    }
    const auto has = [](const Hypotheses& all, std::string_view mistake) {
      return std::any_of(all.begin(), all.end(),
                         [&](const Hypothesis& one) { return is(one.cause, mistake); });
    };
    return std::any_of(found_.begin(), found_.end(), [&](const Hypotheses& of_case) {
      return !has(of_case, "tail_stays") &&
             (has(of_case, "other_step") || has(of_case, other_accelerations));
    });
  }

  // --- the vote ----------------------------------------------------------------------------------

  // Does the row's program give this answer, and is that wrong?
  bool explains(const Mistake& row, const Failure& failure) const {
    const Case& test = *failure.test;
    const auto other = answer_with(row, test.request, subject_.precision());
    const double error = rows_[failure.row].error;
    if (!other || !same_answer(test, failure.answer, *other, subject_.tolerance(), error)) {
      return false;
    }
    Row judged;
    judge(test, *other, subject_.tolerance(), judged);
    return judged.verdict == Verdict::failed;
  }

  // What explains none of the first cases will not explain most of all.
  bool may_explain(const Mistake& row) const {
    return found_.size() < few ||
           std::any_of(found_.begin(), found_.end(), [&](const Hypotheses& of_case) {
             return std::any_of(of_case.begin(), of_case.end(),
                                [&](const Hypothesis& one) { return one.row == &row; });
           });
  }

  Hypotheses hypotheses_of(const Failure& failure) const {
    const Case& test = *failure.test;
    const Seen seen(failure, subject_.tolerance());
    Hypotheses found;
    for (const Mistake& row : tried()) {
      const bool proposed = row.number != Number::none && row.number != Number::width;
      if (!concerns(row, test) || !may_explain(row) || !is_quick(test, proposed)) continue;
      for (const double x : numbers_of(row.number, seen)) {
        const Mistake with = with_number(row, x);
        if (!explains(with, failure)) continue;
        found.push_back({&row, x, {row.seen_as(), said_by(with, seen)}, shows(row, x, test.n())});
      }
    }
    for (Fact& fact : facts_of(seen)) {
      found.push_back({.cause = std::move(fact.cause),
                       .fallback = fact.says_where,
                       .in_one_go = is_in_one_go(test)});
    }
    return found;
  }

  static std::string said_by(const Mistake& row, const Seen& seen) {
    const std::string says = sentence_of(row, seen.shown());
    if (!row.only_in_steps || row.cause == nullptr || row.cause != other_accelerations) return says;
    return "the step moves bodies with other accelerations than those it computes when asked: " +
           says;
  }

  // A wrong program must not fail where the program under test is right.
  bool contradicted(const Hypothesis& hypothesis) {
    if (hypothesis.row == nullptr || !is_of_the_program(hypothesis.row->number)) return false;
    const Mistake row = with_number(*hypothesis.row, hypothesis.x);
    std::size_t asked = 0;
    for (const Case* test : passed_) {
      if (test->n() < enough_bodies || test->n() > quick_bodies || !concerns(row, *test) ||
          !is_quick(*test, false)) {
        continue;
      }
      if (++asked > 2 * most || patience_.is_over()) break;
      try {
        const Answer answer = subject_.ask(test->request);
        const auto other = answer_with(row, test->request, subject_.precision());
        if (!other || !same_answer(*test, answer, *other, subject_.tolerance())) return true;
      } catch (const SessionError&) {
        return false;
      }
    }
    return false;
  }

  const Hypothesis* agreeing(const Hypothesis& one, const Hypotheses& of_case) const {
    const auto found = std::find_if(of_case.begin(), of_case.end(),
                                    [&](const Hypothesis& other) { return agree(one, other); });
    return found == of_case.end() ? nullptr : &*found;
  }

  // The share of the cases that it explains, of those in which it is looked for.
  double share_of(const Hypothesis& hypothesis) const {
    std::size_t asked = 0, explained = 0;
    for (std::size_t k = 0; k < sample_.size(); ++k) {
      const Case& test = *sample_[k]->test;
      if (hypothesis.row != nullptr) {
        const Number number = hypothesis.row->number;
        if (!concerns(*hypothesis.row, test)) continue;
        if (!is_quick(test, number != Number::none && number != Number::width)) continue;
      } else if (is_in_one_go(test) != hypothesis.in_one_go) {
        continue;
      }
      ++asked;
      explained += agreeing(hypothesis, found_[k]) != nullptr ? 1 : 0;
    }
    // Not all: a giant that is not kicked moves all others, too.
    const double share =
        asked == 0 ? 0 : static_cast<double>(explained) / static_cast<double>(asked);
    return share >= 0.6 ? share : 0;
  }

  const Hypothesis* best_of(bool fallbacks) {
    const Hypothesis* best = nullptr;
    double best_share = 0;
    std::vector<const Hypothesis*> wrong;
    for (const Hypotheses& of_case : found_) {
      for (const Hypothesis& one : of_case) {
        if (one.fallback != fallbacks || !one.shows) continue;
        const double share = share_of(one);
        if (share <= best_share) continue;
        const bool known = std::any_of(wrong.begin(), wrong.end(),
                                       [&](const Hypothesis* other) { return agree(one, *other); });
        if (known) continue;
        if (contradicted(one)) {
          wrong.push_back(&one);
          continue;
        }
        best = &one;
        best_share = share;
      }
    }
    return best;
  }

  bool chose(bool fallbacks) {
    const Hypothesis* best = best_of(fallbacks);
    if (best == nullptr) return false;
    for (std::size_t k = 0; k < sample_.size(); ++k) {
      const Hypothesis* fitting = agreeing(*best, found_[k]);
      if (fitting == nullptr || !fitting->shows) continue;
      rows_[sample_[k]->row].cause = in_double(of_ranks(fitting->cause));
    }
    return true;
  }

  // --- sentences -------------------------------------------------------------------------------

  bool asked_in_double() const { return rows_[failures_.front()->row].in_double; }

  Cause of_ranks(const Cause& cause) const {
    return subject_.has_ranks() && is(cause, "other_step") ? step_of_rank : cause;
  }

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
  const Patience patience_;
  std::vector<const Failure*> failures_, sample_;
  std::vector<const Case*> passed_;
  std::vector<Hypotheses> found_;  // of each in the sample
};

}  // namespace

void diagnose(Subject& subject, const Record& record, Rows& rows) {
  Diagnosis(subject, record, rows).run();
}

}  // namespace nbody::check
