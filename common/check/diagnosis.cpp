#include "check/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <list>
#include <set>

#include "check/case.hpp"
#include "check/error_measure.hpp"
#include "check/experiments.hpp"
#include "check/judge.hpp"
#include "check/rerun.hpp"
#include "check/seen.hpp"
#include "check/splits.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t few = 2;            // failures that are looked at with all rows
constexpr std::size_t most = 5;           // failures that vote
constexpr std::size_t enough_bodies = 7;  // with fewer, many mistakes look alike
constexpr std::size_t quick_bodies = 130;
constexpr double most_of_all = 0.6;  // a giant that is not kicked moves all others, too
constexpr std::chrono::seconds patience_with(5);  // a program that is asked again

const Cause float_in_double = {
    "float_in_double",
    "off by what float loses: float or 1.0f where real belongs, too few Newton steps, or "
    "something left out because it is small?"};
const Cause step_of_rank = {
    "step_of_rank",
    "the bodies do not move by the step that rank 0 returns: does each rank take a time step of "
    "its own (no MPI_Allreduce), or is real sent as MPI_FLOAT?"};
const Cause other_order = {
    "order",
    "bodies have the accelerations, or the places, of other bodies: were they sorted, and the "
    "results not put back, or sorted again in each step?"};

Mistake with_number(Mistake row, double x) {
  row.x = x;
  return row;
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
    in_double_ = subject.precision() == Precision::double_precision;
  }

  void run() {
    if (failures_.empty()) return;
    take_sample();
    const bool forces = failures_.front()->test->group <= Group::exact_cases;
    say_first_of([&] { return only_digits_are_missing() ? float_in_double : Cause(); },
                 [&] { return about_asking_again(); },
                 [&] { return about_remainders(subject_.ranks(), failures_, passed_); },
                 [&] { return forces ? Cause() : about_kinds(failures_); }, [&] { return vote(); },
                 [&] { return forces ? about_float() : about_steps_of_ranks(); },
                 [&] { return most_are(&Seen::in_each_others_place) ? other_order : Cause(); },
                 [&] { return about_one_rank(subject_, failures_); },
                 [&] { return about_kinds(failures_); },
                 [&] { return about_sizes(failures_, passed_); },
                 [&] { return forces ? about_digits() : Cause(); }, [&] { return about_tails(); });
  }

 private:
  // A question that knows an answer returns it, or says one to each case.
  template <typename... Questions>
  void say_first_of(const Questions&... questions) {
    Cause cause;
    ((cause = questions(), cause.is_known() || said_) || ...);
    if (!cause.is_known()) return;
    for (const Failure* failure : failures_) say(*failure, cause);
  }

  void say(const Failure& failure, Cause cause) {
    Row& row = rows_[failure.row];
    // The program for double is only asked if all is right in float.
    if (row.in_double) cause.sentence = "right in float, but in double " + cause.sentence;
    row.cause = cause;
    said_ = true;
  }

  // Few bodies tell most, and a wrong program runs quickly on them; a mistake that needs more is
  // looked for in larger ones. A few cases of steps in one go tell apart what single steps cannot.
  void take_sample() {
    std::vector<const Failure*> kinds[4];  // single steps or forces, in one go, larger, smaller
    for (const Failure* failure : failures_) {
      const std::size_t n = failure->test->n();
      kinds[n < enough_bodies  ? 3
            : n > quick_bodies ? 2
                               : is_in_one_go(*failure->test)]
          .push_back(failure);
    }
    for (const auto& kind : kinds) {
      const bool enough = sample_.size() >= most;
      if (enough && &kind != &kinds[1]) break;
      const std::size_t count = enough ? few : most - sample_.size();
      const std::size_t step = std::max<std::size_t>(1, kind.size() / count);
      for (std::size_t k = 0; k < std::min(kind.size(), count * step); k += step) {
        sample_.push_back(kind[k]);
      }
    }
  }

  Cause about_asking_again() {
    Cause cause;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < std::min(few + 1, sample_.size()) && !cause.is_known(); ++k) {
      if (std::chrono::steady_clock::now() > start + patience_with) break;
      cause = about_repeats(subject_, record_, *sample_[k], failures_, rows_[sample_[k]->row]);
    }
    const bool on_other_ranks = !cause.is_known() && failures_.front()->test->ranks > 0;
    return on_other_ranks ? about_sharing(Among::ranks, subject_.ranks(), failures_) : cause;
  }

  // In double as right as float could be?
  bool only_digits_are_missing() const {
    const Tolerance in_float = tolerance_named("standard", Precision::single_precision);
    return in_double_ &&
           std::all_of(failures_.begin(), failures_.end(), [&](const Failure* failure) {
             return is_right(in_float, *failure->test, failure->answer);
           });
  }

  // --- the vote ----------------------------------------------------------------------------------

  // The row that explains the largest share of the cases in which it is looked for.
  Cause vote() {
    for (const Failure* failure : sample_) seen_.emplace_back(*failure, subject_.tolerance());
    Cause best;
    double best_share = 0;
    for (const Mistake& row : tried()) {
      for (const double x : numbers_tried(row.number)) {
        const Mistake with = with_number(row, x);
        const double share = share_of(with);
        if (share < most_of_all || share <= best_share || contradicted(with)) continue;
        best = {row.seen_as(), sentence_of(with)};
        if (row.does(Fault::only_in_steps)) {
          best.sentence =
              "the step moves bodies with other accelerations than those it computes when asked: " +
              best.sentence;
        }
        best_share = share;
      }
    }
    return best;
  }

  std::set<double> numbers_tried(Number number) const {
    std::set<double> numbers;
    for (const Seen& seen : seen_) {
      for (const double x : numbers_of(number, seen)) numbers.insert(x);
    }
    return numbers;
  }

  double share_of(const Mistake& row) const {
    double asked = 0, explained = 0;
    bool shows = row.number != Number::width;  // where more bodies are taken at a time
    for (const Failure* failure : sample_) {
      // Infinity and NaN look alike, whatever made them.
      if (!concerns(row, *failure->test) || !is_finite(failure->answer.accelerations)) continue;
      // What explains none of the first cases will not explain most of all.
      if (asked++ >= few && explained == 0) return 0;
      if (!explains(row, *failure)) continue;
      explained += 1;
      shows = shows || row.x <= static_cast<double>(failure->test->n());
    }
    return shows && asked > 0 ? explained / asked : 0;
  }

  // Does the row's program give this answer, and is that wrong?
  bool explains(const Mistake& row, const Failure& failure) const {
    const auto other = answer_with(row, failure.test->request, subject_.precision());
    return other &&
           same_answer(*failure.test, failure.answer, *other, subject_.tolerance(),
                       rows_[failure.row].error) &&
           !is_right(subject_.tolerance(), *failure.test, *other);
  }

  // A wrong program must not fail where the program under test is right.
  bool contradicted(const Mistake& row) const {
    std::size_t asked = 0;
    return std::any_of(passed_.begin(), passed_.end(), [&](const Case* test) {
      if (test->n() < enough_bodies || test->n() > quick_bodies || !concerns(row, *test)) {
        return false;
      }
      if (++asked > 2 * most) return false;
      const auto other = answer_with(row, test->request, subject_.precision());
      return !other || !is_right(subject_.tolerance(), *test, *other);
    });
  }

  // --- what answers look like --------------------------------------------------------------------

  template <typename Holds>
  bool most_are(Holds holds) const {
    const auto count = std::count_if(seen_.begin(), seen_.end(), std::mem_fn(holds));
    return static_cast<double>(count) >= most_of_all * static_cast<double>(seen_.size());
  }

  Cause about_tails() {
    if (!most_are(&Seen::is_a_tail)) return {};
    for (const Seen& seen : seen_) {
      if (!seen.is_a_tail) continue;
      say(seen.failure,
          {"wrong_tail", fmt::format("only the bodies from index {} on are wrong: is "
                                     "a last batch, tile or part computed in another way?",
                                     seen.wrong.front())});
    }
    return {};
  }

  // Forces and fixed steps are right, and bodies move by another adaptive step than rank 0's.
  Cause about_steps_of_ranks() const {
    if (!subject_.has_ranks() || failures_.front()->test->group != Group::adaptive_step) return {};
    const bool moved_otherwise = std::any_of(seen_.begin(), seen_.end(), [](const Seen& seen) {
      return seen.right_length && !seen.wrong.empty();
    });
    return moved_otherwise ? step_of_rank : Cause();
  }

  // In double it is right, or there are numbers that are not finite.
  Cause about_float() {
    for (std::size_t k = 0; k < std::min(few, sample_.size()); ++k) {
      const Cause cause = right_in_double(subject_, *sample_[k], rows_[sample_[k]->row].error);
      if (cause.is_known()) return cause;
    }
    for (const Failure* failure : failures_) {
      const Vectors<double>& a = failure->answer.accelerations;
      std::size_t nans = 0;
      for (std::size_t i = 0; i < a.size(); ++i) nans += is_nan(a.x[i] + a.y[i] + a.z[i]) ? 1 : 0;
      if (is_finite(a)) continue;
      say(*failure,
          {"not_finite",
           nans == 0
               ? "infinite: a division by zero, or a number beyond its range"
               : fmt::format("{} of {} bodies are NaN: 0/0 (a body that meets itself, i == j, or "
                             "padding in its place?), infinity minus infinity, or memory that was "
                             "never written",
                             nans, a.size())});
    }
    return {};
  }

  double error_of(const Failure* failure) const { return rows_[failure->row].error; }

  Cause about_digits() const {
    double largest = 0;
    for (const Failure* failure : failures_) largest = std::max(largest, error_of(failure));
    const std::size_t fewest = failures_.front()->test->n();
    // After cubing, a root of 12 bits is off by 1.5 x 2^-12, in sums of few, too.
    if (largest <= 1.2e-3 && fewest <= 17) {
      return {"raw_root",
              fmt::format("right to about {:.0f} digits: a raw reciprocal square root (12 to 14 "
                          "bits)? One Newton step makes it exact enough. Or is something rounded "
                          "to half precision?",
                          -std::log10(largest))};
    }
    // Forces of two or three bodies, where nothing cancels, are wrong in their last digits only,
    // and nearly all others by much.
    const auto more = std::find_if(failures_.begin(), failures_.end(),
                                   [](const Failure* failure) { return failure->test->n() > 3; });
    if (more - failures_.begin() >= 3 && failures_.size() >= 3 * passed_.size() &&
        std::all_of(failures_.begin(), more,
                    [&](const Failure* failure) { return error_of(failure) < 2e-3; })) {
      return {"eleven_bits",
              "right to about 3 digits with two or three bodies, with many bodies hardly at all: "
              "are squared distances made of numbers with 11 bits (half precision, TF32)?"};
    }
    // No pull is missing: where few bodies fail, none lacks as much as half of one of average size.
    if (!std::all_of(failures_.begin(), failures_.end(), [&](const Failure* failure) {
          const auto n = static_cast<double>(failure->test->n());
          return error_of(failure) < 3e-2 &&
                 (failure->test->n() >= 2 * fewest || 2 * error_of(failure) * n < 1);
        })) {
      return {};
    }
    return {"nearly_right",
            "nearly right: is what is far away taken together, as in a tree, or a root estimated "
            "with too few steps, or half precision used somewhere?"};
  }

  Subject& subject_;
  const Record& record_;
  Rows& rows_;
  bool in_double_ = false, said_ = false;
  std::vector<const Failure*> failures_, sample_;
  std::vector<const Case*> passed_;
  std::list<Seen> seen_;  // of each in the sample
};

}  // namespace

void diagnose(Subject& subject, const Record& record, Rows& rows) {
  Diagnosis(subject, record, rows).run();
}

}  // namespace nbody::check
