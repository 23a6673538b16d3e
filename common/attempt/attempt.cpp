#include "attempt/attempt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bodies/input_error.hpp"
#include "check/plan.hpp"
#include "check/report.hpp"

namespace nbody::attempt {
namespace {

constexpr double timeout_s = 20;  // as in ./lab check

void check_mine(const AttemptPlan& plan, Attempt& attempt) {
  const check::Tolerance tolerance =
      check::tolerance_named("standard", protocol::Precision::single_precision);
  const protocol::Precision precision = protocol::Precision::single_precision;
  check::Subject subject(
      {precision, "", plan.mine.program, plan.mine.hello, plan.mine.arguments, plan.mine.launcher},
      tolerance, timeout_s);
  check::Plan everything;
  everything.seed = plan.seed;
  everything.program = plan.part_and_name;
  everything.on_row = [&](const check::Row& row) {
    plan.on_progress(fmt::format("checking: {} {} N = {}", name_of(row.group), row.scene, row.n));
  };
  attempt.rows = check::check_everything(subject, everything);
  const check::Row* telling = check::most_informative_row(attempt.rows);
  if (telling == nullptr) {
    if (!check::all_passed(attempt.rows)) attempt.wrong = "not everything could be checked";
    return;
  }
  attempt.wrong = telling->diagnosis.empty() ? telling->detail : telling->diagnosis;
  if (attempt.wrong.empty()) {
    attempt.wrong =
        fmt::format("{}: {} of {} bodies", name_of(telling->group), telling->scene, telling->n);
  }
}

// A program that never answers or always dies: timing it would only wait again.
bool was_given_up(const check::Rows& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const check::Row& row) { return row.verdict == check::Verdict::not_run; });
}

void measure(const AttemptPlan& plan, Attempt& attempt) {
  bench::TimingPlan timing;
  timing.n = plan.n;
  timing.adaptive = plan.adaptive;
  timing.threads = plan.threads;
  timing.seconds = 0.03;
  timing.starts_slowly = plan.on_gpu;
  timing.timeout_s = timeout_s;
  std::vector<bench::TimedCase> cases = {{plan.naive, timing}, {plan.mine, timing}};
  if (plan.before) cases.push_back({*plan.before, timing});
  if (plan.before) cases.back().plan.threads = plan.threads_before.value_or(plan.threads);
  const auto timings =
      bench::measure_in_turn(cases, plan.rounds, {.progress = plan.on_progress}, plan.wait_s).timings;
  attempt.naive = timings[0];
  attempt.mine = timings[1];
  if (plan.before && timings[2].fault.empty()) attempt.before = timings[2];
  for (const bench::Timing& timing : timings) {
    if (timing.busy && attempt.busy.empty()) attempt.busy = timing.about_cores;
  }
}

// Why the timed answers are wrong; empty if they are right.
std::string fault_while_timed(const bench::Timing& mine) {
  if (mine.busy) return "";
  if (!mine.fault.empty()) return mine.fault;
  if (!mine.wrong.empty()) return "while it was timed: " + mine.wrong;
  if (mine.error <= mine.limit) return "";
  return fmt::format("the timed answers are off by {:.0e} of sum |a_ij|", mine.error);
}

// Timed answers may be wrong although every case of the check passed.
void judge_what_was_timed(const AttemptPlan& plan, Attempt& attempt) {
  if (!attempt.naive.fault.empty() && !attempt.naive.busy) {
    throw InputError("naive does not run: " + attempt.naive.fault);
  }
  if (!attempt.wrong.empty()) return;
  const bench::Timing& mine = attempt.mine;
  attempt.wrong = fault_while_timed(mine);
  if (attempt.wrong.empty()) return;
  check::Row row{check::Group::timed, bench::TimingPlan().scene, plan.n, 0, false, mine.error,
                 mine.limit,          check::Verdict::failed};
  row.detail = attempt.wrong;
  attempt.rows.push_back(row);
}

}  // namespace

Attempt make_attempt(const AttemptPlan& plan) {
  Attempt attempt;
  check_mine(plan, attempt);
  if (was_given_up(attempt.rows)) {
    attempt.mine.fault = attempt.wrong;
    return attempt;
  }
  measure(plan, attempt);
  judge_what_was_timed(plan, attempt);
  return attempt;
}

}  // namespace nbody::attempt
