#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "check/case.hpp"
#include "check/diagnosis.hpp"
#include "check/judge.hpp"
#include "check/pace.hpp"
#include "check/plan.hpp"

namespace nbody::check {
namespace {

constexpr double patience = 5;  // s, for a program to end

// A check of a whole part asks all programs the same.
const std::vector<Case>& cases_of(const Extent& extent) {
  static std::map<Extent, std::vector<Case>> made;
  auto found = made.find(extent);
  if (found == made.end()) found = made.emplace(extent, make_cases(extent)).first;
  return found->second;
}

// Asks one program all cases of a seed.
class Check {
 public:
  Check(Subject& subject, const Plan& plan, Rows& rows, bool in_double)
      : subject_(subject), plan_(plan), rows_(rows), in_double_(in_double), pace_(plan.thorough) {}

  // `k`: of the plan's seeds. Ends after the first family that is wrong: what builds on it is wrong
  // for the same reason, and the verdict should not wait for that.
  void ask_all(std::uint64_t k) {
    seed_ = plan_.seed + k;
    const Extent extent{.seed = seed_,
                        .largest_n = plan_.largest_n,
                        .ranks = subject_.has_ranks() ? subject_.ranks() : 0,
                        .in_double = in_double_,
                        .all_digits = subject_.precision() == Precision::double_precision,
                        .thorough = plan_.thorough,
                        .holds_sums = plan_.thorough && subject_.holds_sums()};
    const std::vector<Case>& cases = cases_of(extent);
    left_.clear();
    for (const Case& test : cases) ++left_[family_of(test)];
    std::size_t asked = 0;
    all_ = cases.size() * plan_.seeds;
    for (const Case& test : cases) {
      // A program that lives on and one that has just started may answer differently.
      if (++asked == cases.size() / 2 && !subject_.has_ranks()) subject_.session().finish(patience);
      done_ = cases.size() * k + asked;
      Subject& subject = on(test);
      ask(subject, test);
      --left_[family_of(test)];
      if (subject.is_given_up()) {
        plan_.on_left_out(
            fmt::format("{} more cases, after requests without an answer", cases.size() - asked));
        return;
      }
      if (has_its_verdict()) break;
    }
    tell_left_out();
  }

  const Record& record() const { return record_; }

 private:
  // The program on a number of processes, or with a block, started anew for each: 0 is its own
  // default.
  Subject& on(const Case& test) {
    const std::pair way(test.ranks, test.block);
    if (way == std::pair(0u, 0u)) return subject_;
    if (!other_ || way != last_way_) {
      other_ = subject_.started_with(test.ranks, test.block);
      last_way_ = way;
    }
    return *other_;
  }

  static std::pair<bool, Group> family_of(const Case& test) {
    return {comes_late(test), test.group};
  }

  // The most basic family that is wrong is through, and those before it.
  bool has_its_verdict() const {
    return std::none_of(left_.begin(), left_.end(), [&](const auto& family) {
      return family.second > 0 && family.first <= wrong_;
    });
  }

  void ask(Subject& subject, const Case& test) {
    if (refused_blocks_.count(test.block) > 0 || takes_too_long(test)) return;
    if (unsupported_.count(test.request.setting.integrator) > 0) return;
    Row row{test.group, test.what, test.n(), seed_, in_double_};
    Answer answer;
    try {
      answer = subject.ask(test.request);
      judge(test, answer, subject.tolerance(), row);
      pace_.note(test, subject.session().answer_seconds());
    } catch (const SessionError& fault) {
      if (fault.kind == SessionError::Kind::unsupported) {
        unsupported_.emplace(test.request.setting.integrator, fault.what());
        return;
      }
      // Not every program has this option, with this value. One that starts with it and then dies
      // is wrong.
      if (test.block > 0 && !subject.session().has_greeted()) {
        refused_blocks_.insert(test.block);
        return;
      }
      note_fault(row, fault, subject);
    }
    plan_.on_row(row, done_, all_);
    rows_.push_back(row);
    if (row.verdict != Verdict::passed) wrong_ = std::min(wrong_, family_of(test));
    if (row.reply != Reply::given) return;
    record_.asked.push_back(&test);
    if (test.block > 0) record_.has_kernels = true;
    if (row.verdict == Verdict::passed) return record_.passed.push_back(&test);
    record_.failures.push_back(
        {&test, std::move(answer), rows_.size() - 1, record_.asked.size() - 1});
  }

  bool takes_too_long(const Case& test) {
    if (!pace_.is_too_slow_for(test)) return false;
    if (test.n() > 2 && (plan_.thorough || test.n() < very_many_from))
      smallest_left_out_ = std::min(smallest_left_out_, test.n());
    return true;
  }

  void tell_left_out() const {
    if (std::any_of(left_.begin(), left_.end(), [](const auto& one) { return one.second > 0; })) {
      plan_.on_left_out(
          fmt::format("what builds on {}, which must be right first", name_of(wrong_.second)));
    }
    for (const auto& one : unsupported_) {
      if (!in_double_) plan_.on_left_out(one.second);
    }
    if (smallest_left_out_ < SIZE_MAX) {
      plan_.on_left_out(
          fmt::format("cases of {} bodies and more, whose answer would take over {:g} s",
                      smallest_left_out_, pace_.longest_answer));
    }
  }

  Subject& subject_;
  const Plan& plan_;
  Rows& rows_;
  const bool in_double_;
  std::uint64_t seed_ = 0;
  std::unique_ptr<Subject> other_;
  std::pair<unsigned, unsigned> last_way_;  // ranks, block
  std::set<unsigned> refused_blocks_;       // values that the program does not know
  Record record_;
  std::map<std::pair<bool, Group>, std::size_t> left_;       // cases of each family
  std::pair<bool, Group> wrong_ = {true, Group::in_double};  // the most basic one that is wrong
  std::map<std::string, std::string> unsupported_;           // integrators, and what it says
  Pace pace_;
  std::size_t done_ = 0, all_ = 0;  // cases
  std::size_t smallest_left_out_ = SIZE_MAX;
};

void ask_and_diagnose(Subject& subject, const Plan& plan, Rows& rows, bool in_double) {
  for (std::uint64_t k = 0; k < plan.seeds; ++k) {
    Check check(subject, plan, rows, in_double);
    check.ask_all(k);
    diagnose(subject, check.record(), rows);
    if (!all_passed(rows)) return;
  }
}

// Smaller is more informative: answers that change, then the group on which the others depend, then
// a row with a diagnosis, then few bodies, but not one alone. A wrong step in a small system has
// several explanations.
auto rank_of(const Row& row) {
  const bool of_steps = row.group != Group::forces && row.group != Group::exact_cases;
  const std::size_t enough = of_steps ? 7 : 2;
  const bool few = row.n < enough;
  return std::tuple(!row.answers_change, row.in_double, row.group, !row.cause.is_known(), few,
                    row.n);
}

}  // namespace

Rows check_everything(Subject& subject, const Plan& plan) {
  Rows rows;
  ask_and_diagnose(subject, plan, rows, false);
  if (plan.thorough && all_passed(rows)) {
    check_long_use(subject, plan, rows);
  }
  // Raw roots, if allowed, are just as inexact in double. And what is wrong in float is mostly
  // wrong in double, too.
  if (subject.tolerance().name == "standard" && all_passed(rows)) {
    if (Subject* twin = subject.in_double()) ask_and_diagnose(*twin, plan, rows, true);
  }
  // In the order in which groups depend on each other; they were asked in another.
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tuple(shown_in(a), a.group, a.n) < std::tuple(shown_in(b), b.group, b.n);
  });
  return rows;
}

const Row* most_informative_row(const Rows& rows) {
  const Row* telling = nullptr;
  for (const Row& row : rows) {
    if (row.verdict != Verdict::failed) continue;
    if (telling == nullptr || rank_of(row) < rank_of(*telling)) telling = &row;
  }
  return telling;
}

}  // namespace nbody::check
