#include "bench/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/fresh_scene.hpp"
#include "check/error_measure.hpp"
#include "check/step_bounds.hpp"
#include "machine/core_clock.hpp"
#include "machine/machine.hpp"

namespace nbody::bench {
namespace {

constexpr int most_attempts = 6;  // of a round, on a machine that others use
constexpr std::uint64_t fewest_to_wake = 4;
constexpr double shortest_time = 0.5, longest_time = 4;  // of a request, times the typical one

// Rows of a request that are compared: fewer of many bodies, since each costs n interactions.
constexpr std::size_t most_rows = 64, fewest_rows = 8, most_interactions_to_compare = 4'000'000;
std::size_t rows_to_check(std::size_t n) {
  return std::clamp(most_interactions_to_compare / n, fewest_rows, most_rows);
}

Launch launch_of(const PlannedRow& row) { return {row.launcher, row.ranks}; }

SessionOptions options_of(const PlannedRow& row, std::function<void()> on_wait) {
  SessionOptions options{.launcher = launch_of(row), .on_wait = std::move(on_wait)};
  ExpectedProgram& expected = options.expected;
  expected.precision = precision_named(row.precision);
  if (!row.hello.empty()) {
    expected.part = row.hello.at(0);
    expected.name = row.hello.at(1);
    expected.instruction_set = row.hello.at(2);
  }
  return options;
}

// A program's own default is a thread for each core, shared out to its processes.
unsigned workers_of(const PlannedRow& row) {
  const unsigned processes = launch_of(row).has_ranks() ? std::max(1U, row.ranks) : 1;
  const unsigned all = machine::usable_processors();
  return row.threads > 0 ? row.threads * processes : std::max(processes, all);
}

}  // namespace

Runner::Runner(const PlannedRow& row, const Plan& plan, const TypicalScene& typical,
               std::function<void()> on_wait)
    : row_(row),
      plan_(plan),
      typical_(typical),
      precision_(precision_named(row.precision)),
      workers_(workers_of(row)),
      on_wait_(std::move(on_wait)),
      session_(row.program, row.arguments, options_of(row, on_wait_)),
      random_(seed_or_random(plan.seed)),
      rounds_(plan.rounds) {
  result_.workers = workers_;
  const std::vector<double>& masses = typical.scene.bodies.mass;
  const double all = std::accumulate(masses.begin(), masses.end(), 0.0);
  const bool giant = *std::max_element(masses.begin(), masses.end()) > all / 100;
  const check::Tolerance tolerance = check::tolerance_named("standard", precision_);
  result_.limit =
      giant ? check::plain_sum_limit(tolerance, row.n) : check::force_limit(tolerance, row.n);
}

// Three lengths that span K steps, not recognisable as such. For 1 step: 0, 1, 2.
std::array<std::uint64_t, 3> Runner::lengths_around(std::uint64_t steps) {
  const double k = static_cast<double>(steps);
  const auto about = [&](double wanted) {
    const double jitter = steps >= 10 ? k * random_.uniform(-0.1, 0.1) : 0;
    return static_cast<std::uint64_t>(wanted + jitter);
  };
  const std::uint64_t half = std::max<std::uint64_t>(1, steps / 2);
  std::array<std::uint64_t, 3> lengths = {about(k - double(half)), about(k),
                                          about(k + double(half))};
  for (std::size_t left = 3; left > 1; --left) {
    std::swap(lengths[left - 1], lengths[random_.bits() % left]);
  }
  return lengths;
}

std::vector<std::uint64_t> Runner::lengths_of_round() {
  if (single_) return {1};
  const auto three = lengths_around(steps_);
  return {three.begin(), three.end()};
}

// Everything expensive is done here, before the clock starts.
Runner::Prepared Runner::prepared(std::uint64_t steps, std::size_t n) {
  Scene scene = fresh_scene(plan_.scene, n, random_.bits());
  if (steps > 0 && typical_.time > 0) {
    // Long ones, so that a force that is taken over from the last step shows in where they end.
    const double time =
        typical_.time * shortest_time * std::pow(longest_time / shortest_time, random_.uniform());
    scene.setting.dt = time / static_cast<double>(steps);
    // Adaptive steps are so short that two joined ones end at the same place: most have a floor.
    if (plan_.adaptive && random_.bits() % 4 > 0) scene.setting.dt_floor = scene.setting.dt;
  }
  Prepared ready;
  ready.rows = sampled_rows(n, rows_to_check(n), random_);
  Request& request = ready.request;
  request.bodies = std::move(scene.bodies);
  request.setting = scene.setting;
  request.adaptive = plan_.adaptive;
  request.threads = row_.threads;
  request.steps = steps;
  request.accelerations = true;
  return ready;
}

// A slow program is waited for as long as a smaller size lets expect.
Answer Runner::ask(const Request& request) {
  constexpr double patience = 5;
  const double expected = evaluation_seconds_ * static_cast<double>(request.steps + 1);
  return session_.ask(request, std::max(plan_.timeout_s, patience * expected));
}

// A stopped program has cold caches and sleeping threads: an untimed request wakes it, which looks
// like those that are timed. Long steps need none.
void Runner::wake() {
  if (row_.starts_slowly) return;
  session_.resume();
  if (steps_ < fewest_to_wake) return;
  const auto lengths = lengths_around(steps_);
  ask(prepared(*std::ranges::min_element(lengths), row_.n).request);
}

double Runner::seconds_for(std::uint64_t steps, std::size_t n) {
  Prepared ready = prepared(steps, n);
  wake();
  Answer answer = ask(ready.request);
  check(ready, answer);
  if (!row_.starts_slowly) session_.pause();
  return session_.answer_seconds();
}

// Seconds per step; 0 if the round does not count.
double Runner::ask_round() {
  std::vector<Prepared> ready;
  for (const std::uint64_t steps : lengths_of_round()) ready.push_back(prepared(steps, row_.n));
  std::vector<TimedSteps> timed;
  std::vector<Answer> answers;
  wake();
  const CoreClock clock(session_);
  double wall = 0;
  for (const Prepared& one : ready) {
    answers.push_back(ask(one.request));
    wall += session_.answer_seconds();
    timed.push_back({one.request.steps, session_.answer_seconds()});
  }
  last_ = clock.use(wall);
  all_ += last_;
  if (!row_.starts_slowly) session_.pause();
  for (std::size_t k = 0; k < ready.size(); ++k) {
    check(ready[k], answers[k]);
    remember(ready[k], answers[k]);
  }
  if (!row_.starts_slowly && had_too_few_cores(last_, workers_)) {
    ++starved_;
    return 0;
  }
  if (single_) {
    const double steps = static_cast<double>(timed.front().steps + 1);
    return std::max(timed.front().seconds - start_seconds_,
                    (1 - most_start) * timed.front().seconds) /
           steps;
  }
  const StepTime time = step_time({timed[0], timed[1], timed[2]});
  lines_.push_back(time);
  if (row_.starts_slowly) return std::max(0.0, time.seconds);
  return disturbed(time)
             ? 0
             : step_seconds(time, *std::max_element(timed.begin(), timed.end(), shorter));
}

// A machine that stays busy is not asked six times in each of many rounds.
double Runner::measure(double& wait_s) {
  const double cycle_before = machine::cycle_seconds();
  double seconds = 0;
  guarded([&] {
    const int attempts = starved_in_a_row_ >= 2 || single_ ? 1 : most_attempts;
    for (int attempt = 0; attempt < attempts && seconds == 0;) {
      const std::size_t starved_before = starved_;
      seconds = ask_round();
      const bool starved = starved_ > starved_before;
      if (seconds > 0 || !starved || !wait_for_cores(workers_, wait_s, on_wait_)) ++attempt;
    }
    starved_in_a_row_ = seconds == 0 ? starved_in_a_row_ + 1 : 0;
    result_.neighbours.push_back(last_.cores_of_others());
  });
  if (stopped_) return 0;
  result_.rounds.push_back(seconds);
  if (seconds > 0) result_.cycles.push_back((cycle_before + machine::cycle_seconds()) / 2);
  return seconds;
}

}  // namespace nbody::bench
