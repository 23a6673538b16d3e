#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/runner.hpp"
#include "check/error_measure.hpp"
#include "check/step_bounds.hpp"
#include "machine/clock.hpp"
#include "machine/machine.hpp"

namespace nbody::bench {
namespace {

constexpr double far_away = 1000;  // times the typical time
constexpr std::size_t judged_answers = 3;
constexpr double longest_judging = 1;  // s, where requests start slowly

// Of the shares that `part_of` is of a line's longest request: linear between the two nearest.
double quantile(const std::vector<StepTime>& lines, double StepTime::*part_of, double part) {
  std::vector<double> shares;
  for (const StepTime& line : lines) shares.push_back(line.*part_of / line.longest);
  std::sort(shares.begin(), shares.end());
  const double place = part * static_cast<double>(shares.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, shares.size() - 1);
  return shares[below] + (place - static_cast<double>(below)) * (shares[above] - shares[below]);
}

}  // namespace

// What a program says of itself is quoted: it may say anything.
void Runner::note_fault(const SessionError& error) {
  using Kind = SessionError::Kind;
  result_.fault = (error.kind == Kind::refused ? "stopped with: " : "") + std::string(error.what());
  if (error.kind == Kind::late) result_.outcome = NoNumbers::late;
}

void Runner::note_wrong(const std::string& what) {
  if (result_.wrong.empty()) result_.wrong = what;
}

void Runner::check(Prepared& asked, Answer& answer) {
  const Request& request = asked.request;
  const State& end = answer.states.back();
  const Bodies<double> moved = check::bodies_in({request.bodies, request.setting, 0}, end);
  const Reference reference =
      reference_accelerations(moved, request.setting.G, request.setting.softening, asked.rows);
  const double error =
      check::force_error(reference, check::rows_of(answer.accelerations, asked.rows)).max;
  // A few bodies fly apart, and their step grows until float cannot hold the distances.
  const bool flown_apart = request.adaptive && end.time > far_away * typical_.time;
  if (flown_apart && !(error <= result_.limit)) {
    throw SessionError(
        SessionError::Kind::malformed,
        "its bodies fly apart before it can be timed: take more bodies, or no --vdt");
  }
  if (!(error <= result_.error)) result_.error = error;

  const double time = request.setting.dt * static_cast<double>(request.steps);
  if (!request.adaptive && !(std::abs(end.time - time) <= 1e-6 * time)) {
    note_wrong(fmt::format("returns {:.3g} s for {} steps of {:.3g} s", end.time, request.steps,
                           request.setting.dt));
  }
  const double shortest = request.setting.dt_floor * static_cast<double>(request.steps);
  if (request.adaptive && (!(end.time >= (1 - 1e-3) * shortest) || std::isinf(end.time))) {
    note_wrong(fmt::format("returns {:.3g} s for {} steps of {:.3g} s at least", end.time,
                           request.steps, request.setting.dt_floor));
  }
}

// Each timed answer has the same chance to be judged.
void Runner::remember(Prepared& asked, Answer& answer) {
  TimedAnswer timed{std::move(asked.request), std::move(answer)};
  ++answers_;
  if (to_judge_.size() < judged_answers) {
    to_judge_.push_back(std::move(timed));
  } else if (const std::uint64_t place = random_.bits() % answers_; place < judged_answers) {
    to_judge_[place] = std::move(timed);
  }
}

void Runner::judge_steps() {
  session_.resume();
  check::Tolerance tolerance = check::tolerance_named("standard", precision_);
  // The forces of a step may err as those in the end may.
  tolerance.force *= result_.limit / check::force_limit(tolerance, row_.n);
  guarded([&] {
    const double start = machine::seconds_now();
    for (TimedAnswer& timed : to_judge_) {
      // Each asks many times, and each time starts slowly.
      if (row_.starts_slowly && machine::seconds_now() - start > longest_judging) break;
      const HalvesVerdict verdict =
          judge_by_halves([&](const Request& request) { return ask(request); }, std::move(timed),
                          tolerance, random_);
      result_.step_count_verified = result_.step_count_verified || verdict.shows_joined_steps;
      if (!verdict.wrong.empty()) note_wrong(verdict.wrong);
    }
  });
}

void Runner::note_more_cores() {
  if (row_.threads == 0 || row_.starts_slowly || !had_more_cores(all_, workers_)) return;
  note_wrong(fmt::format("it used {:.1f} cores where {} {} asked for", all_.cores(), workers_,
                         workers_ == 1 ? "thread was" : "threads were"));
}

void Runner::note_crooked_lines() {
  const auto start = [&](double part) { return quantile(lines_, &StepTime::start, part); };
  const auto bend = [&](double part) { return quantile(lines_, &StepTime::bend, part); };
  if (start(0.25) > most_start) {
    result_.fault = fmt::format(
        "{:.0f} % of a request's time is not spent in its steps: its speed cannot be measured",
        100 * start(0.5));
  } else if (bend(0.25) > most_bend || bend(0.75) < -most_bend) {
    result_.fault = fmt::format(
        "its time does not grow linearly with its steps: t(K) bends by {:.0f} %", 100 * bend(0.5));
  }
}

Timing Runner::finish() {
  session_.resume();
  result_.writes = !session_.diagnostics().empty();
  if (!row_.starts_slowly) result_.cores = all_.cores();
  result_.others = all_.cores_of_others();
  result_.starved = starved_ > 0;
  note_more_cores();
  if (result_.fault.empty() && lines_.size() >= enough_lines) note_crooked_lines();
  if (!result_.fault.empty()) return result_;
  const auto& rounds = result_.rounds;
  const auto lost = static_cast<std::size_t>(std::count(rounds.begin(), rounds.end(), 0.0));
  if (rounds.empty()) {
    result_.fault = "not measured: stopped before";
  } else if (2 * lost > rounds.size()) {  // less than half say little about the others
    result_.outcome = NoNumbers::busy;
    result_.fault = "too busy to measure";
  }
  return result_;
}

}  // namespace nbody::bench
