#include <fmt/format.h>

#include <cmath>

#include "bench/runner.hpp"
#include "check/error_measure.hpp"
#include "check/step_bounds.hpp"

namespace nbody::bench {
namespace {

constexpr double far_away = 1000;  // times the followed time

}  // namespace

void Runner::note_missed_pulls() {
  if (missed_.empty() || statistics_of(missed_).median <= most_missed) return;
  note_wrong("its bodies do not move as its accelerations say");
}

void Runner::note_wrong(const std::string& what) {
  if (result_.wrong.empty()) result_.wrong = what;
}

void Runner::check(const Prepared& asked, const protocol::Answer& answer) {
  const protocol::Request& request = asked.request;
  const protocol::State& end = answer.states.back();
  const Bodies<double>& b = request.bodies;
  const Bodies<double> moved = check::bodies_in({b, request.setting, 0}, end);
  const Reference reference =
      reference_accelerations(moved, request.setting.G, request.setting.softening, asked.rows);
  const double error =
      check::force_error(reference, check::rows_of(answer.accelerations, asked.rows)).max;
  // A few bodies fly apart, and their step grows until float cannot hold the distances.
  const bool flown_apart = request.adaptive && end.time > far_away * followed_.time;
  if (flown_apart && !(error <= result_.limit)) {
    throw protocol::SessionError(
        protocol::SessionError::Kind::other_program,
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
  const bool too_far = request.adaptive && end.time > 1.2 * followed_.time;
  const protocol::State start = {0, {b.qx, b.qy, b.qz}, {b.vx, b.vy, b.vz}};
  const double digits = check::tolerance_named("standard", plan_.precision).digits;
  if (!too_far && request.steps > 0 &&
      static_cast<double>(request.steps) * digits < most_roundings) {
    missed_.push_back(missed_pull(start, end, asked.pulls, reference.acceleration, asked.rows,
                                  request.steps, digits));
  }
  if (asked.followed) {
    end_ = end;
    end_steps_ = request.steps;
  }
}

void Runner::judge_end(const EndStates* ends, Timing& timing) const {
  if (end_steps_ == 0 || !timing.wrong.empty()) return;
  const check::Tolerance tolerance = check::tolerance_named("standard", plan_.precision);
  EndVerdict verdict;
  if (plan_.adaptive) {
    verdict = judge_adaptive_end(followed_.scene, followed_.time, end_, end_steps_, tolerance);
  } else if (ends != nullptr) {
    verdict = ends->judge(end_, end_steps_, tolerance);
  }
  timing.wrong = verdict.wrong;
  timing.steps_told = verdict.told;
}

// For one thread: other programs only slow it down. Not the smallest slope, which arises when they
// slow its short request; but the time per step of the best request, overhead included.
double Runner::fastest_step(const Statistics& of_rounds) const {
  // Computing the final accelerations costs as much as a step, but less than an adaptive one.
  const std::uint64_t fewest = plan_.adaptive ? 8 : 0;
  double fastest = 0;
  for (const TimedSteps& one : timed_) {
    if (one.steps < fewest) continue;
    const double step = one.seconds / static_cast<double>(one.steps + 1);
    if (fastest == 0 || step < fastest) fastest = step;
  }
  // A request that is far faster than three quarters of all rounds did not make the same steps.
  return std::max(fastest, (1 - most_start) * of_rounds.lower_quartile);
}

}  // namespace nbody::bench
