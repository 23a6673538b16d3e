#include "check/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>

#include "check/case.hpp"
#include "check/error_measure.hpp"
#include "check/experiments.hpp"
#include "check/judge.hpp"
#include "check/rerun.hpp"
#include "check/splits.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t few = 2;            // failures that are looked at with all rows
constexpr std::size_t most = 5;           // failures that vote
constexpr std::size_t enough_bodies = 7;  // with fewer, many mistakes look alike
constexpr std::size_t quick_bodies = 130;
constexpr std::chrono::seconds patience_again(5);  // with a program that is asked again
constexpr double most_of_all = 0.6;  // a giant that is not kicked moves all others, too

const Cause float_in_double = {
    "float_in_double",
    "off by what float loses: float or 1.0f where real belongs, too few Newton steps, or "
    "something left out because it is small?"};
const Cause out_of_range = {
    "range",
    "right in double: in float a number leaves its range (G*m*m? the distance to the sixth? a "
    "constant like 1e-50 against 0/0, which is 0?), or code that only float runs is wrong (3 / 2 "
    "for 1.5f?)"};
const Cause not_finite = {
    "not_finite",
    "NaN or infinite: 0/0 (a body that meets itself, i == j, or padding in its place?), a number "
    "beyond its range, or memory that was never written"};

Cause few_digits(double error) {
  return {"few_digits",
          fmt::format("right to about {:.0f} digits: a raw reciprocal square root (12 to 14 bits)? "
                      "One Newton step makes it exact enough. Or half precision (11 bits), digits "
                      "that cancel (r^2 from |a|^2 + |b|^2 - 2 a.b, positions that are moved "
                      "first), or far bodies taken together, as in a tree?",
                      -std::log10(error))};
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
  }

  void run() {
    if (failures_.empty()) return;
    take_sample();
    const Cause cause = first_known();
    const bool of_nan = is(cause, not_finite.mistake);
    for (const Failure* failure : failures_) {
      if (of_nan && all_finite(failure->answer)) continue;
      Row& row = rows_[failure->row];
      row.cause = cause;
      // The program for double is only asked if all is right in float.
      if (row.in_double && cause.is_known()) {
        row.cause.sentence = "right in float, but in double " + cause.sentence;
      }
    }
  }

 private:
  Cause first_known() {
    const Case& fewest = *failures_.front()->test;
    if (only_digits_are_missing()) return float_in_double;
    if (const Cause cause = asked_again(); cause.is_known()) return cause;
    if (fewest.ranks > 0 || is_right_on_one_rank(subject_, fewest)) {
      return about_ranks(subject_.ranks(), failures_);
    }
    const bool forces = fewest.group <= Group::exact_cases;
    return forces ? about_forces() : about_steps();
  }

  Cause about_forces() {
    if (const Cause cause = vote(); cause.is_known()) return cause;
    if (const Cause cause = about_float(); cause.is_known()) return cause;
    if (const Cause cause = about_kinds(failures_); cause.is_known()) return cause;
    if (const Cause cause = about_sizes(failures_, passed_); cause.is_known()) return cause;
    return about_digits();
  }

  Cause about_steps() {
    if (const Cause cause = about_kinds(failures_); cause.is_known()) return cause;
    if (const Cause cause = vote(); cause.is_known()) return cause;
    return about_sizes(failures_, passed_);
  }

  Cause asked_again() {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < std::min(few + 1, sample_.size()); ++k) {
      if (std::chrono::steady_clock::now() > start + patience_again) break;
      Row& row = rows_[sample_[k]->row];
      const Cause cause = about_asking_again(subject_, record_, *sample_[k], row);
      if (cause.is_known()) return cause;
    }
    return {};
  }

  // Few bodies tell most, and a wrong program runs quickly on them; a mistake that needs more is
  // looked for in larger ones. A few cases of steps in one go tell apart what single steps cannot.
  void take_sample() {
    using Kind = std::vector<const Failure*>;
    Kind single, in_one_go, larger, smaller;
    for (const Failure* failure : failures_) {
      const Case& test = *failure->test;
      Kind& kind = test.n() < enough_bodies  ? smaller
                   : test.n() > quick_bodies ? larger
                   : is_in_one_go(test)      ? in_one_go
                                             : single;
      kind.push_back(failure);
    }
    const auto left = [this] { return most - std::min(most, sample_.size()); };
    const auto take = [this](const Kind& kind, std::size_t wanted) {
      for (std::size_t i = 0; i < std::min(wanted, kind.size()); ++i) {
        sample_.push_back(kind[i * std::max<std::size_t>(1, kind.size() / wanted)]);
      }
    };
    take(single, left());
    take(in_one_go, std::max(left(), few));
    take(larger, left());
    take(smaller, left());
    // Bodies of one mass hide whose mass is used.
    const auto tells_masses = [](const Failure* failure) {
      const std::vector<double>& mass = failure->test->request.bodies.mass;
      return is_quick(*failure->test) &&
             std::ranges::adjacent_find(mass, std::not_equal_to()) != mass.end();
    };
    const auto one = std::ranges::find_if(failures_, tells_masses);
    if (one != failures_.end() && std::ranges::none_of(sample_, tells_masses)) {
      sample_.back() = *one;
    }
  }

  // In double as right as float could be?
  bool only_digits_are_missing() const {
    const Tolerance in_float = tolerance_named("standard", Precision::single_precision);
    return subject_.precision() == Precision::double_precision &&
           std::all_of(failures_.begin(), failures_.end(), [&](const Failure* failure) {
             return is_right(in_float, *failure->test, failure->answer);
           });
  }

  // The row that explains the largest share of the cases in which it is looked for. Of rows alike
  // in those, the one that is wrong in more cases comes first, as what passed contradicts it where
  // it is not the mistake: so wide loops come before narrow ones.
  Cause vote() {
    Cause best;
    double best_share = 0;
    for (const Mistake& row : tried()) {
      std::set<double, std::greater<>> numbers;
      for (const Failure* failure : sample_) {
        for (const double x : numbers_of(row.number, *failure)) numbers.insert(x);
      }
      for (const double x : numbers) {
        Mistake with = row;
        with.x = x;
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

  double share_of(const Mistake& row) const {
    double asked = 0, explained = 0;
    for (const Failure* failure : sample_) {
      // Infinity and NaN look alike, whatever made them.
      if (!is_quick(*failure->test) || !all_finite(failure->answer)) continue;
      // What explains none of the first cases will not explain most of all.
      if (asked++ >= few && explained == 0) return 0;
      explained += explains(row, *failure) ? 1 : 0;
    }
    return asked > 0 ? explained / asked : 0;
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
      if (test->n() < enough_bodies || test->n() > quick_bodies || !is_quick(*test)) return false;
      if (++asked > 2 * most) return false;
      const auto other = answer_with(row, test->request, subject_.precision());
      return !other || !is_right(subject_.tolerance(), *test, *other);
    });
  }

  // In double it is right, or there are numbers that are not finite.
  Cause about_float() {
    constexpr std::size_t batch = 16;  // floats; doubles fill one of half as many bodies
    std::size_t asked = 0;
    for (const Failure* failure : sample_) {
      if (failure->test->n() < batch || asked++ == few) continue;
      if (!is_right_in_double(subject_, *failure->test)) continue;
      const double error = error_of(failure);
      return error <= 1e-2 ? few_digits(error) : out_of_range;
    }
    const bool finite = std::all_of(failures_.begin(), failures_.end(), [](const Failure* failure) {
      return all_finite(failure->answer);
    });
    return finite ? Cause() : not_finite;
  }

  double error_of(const Failure* failure) const { return rows_[failure->row].error; }

  // Right to a few digits, and no pull is missing: where few bodies fail, none lacks as much as
  // half of one of average size.
  Cause about_digits() const {
    double largest = 0;
    const std::size_t fewest = failures_.front()->test->n();
    for (const Failure* failure : failures_) {
      const std::size_t n = failure->test->n();
      // Of many bodies some are so near that a few digits of places say nothing.
      if (fewest <= 3 && n > 3) break;
      const double error = error_of(failure);
      const bool lacks_a_pull = n < 2 * fewest && 2 * error * static_cast<double>(n) >= 1;
      if (!(error < 3e-2) || lacks_a_pull) return {};
      largest = std::max(largest, error);
    }
    return few_digits(largest);
  }

  Subject& subject_;
  const Record& record_;
  Rows& rows_;
  Failing failures_, sample_;
  Passed passed_;
};

}  // namespace

void diagnose(Subject& subject, const Record& record, Rows& rows) {
  Diagnosis(subject, record, rows).run();
}

}  // namespace nbody::check
