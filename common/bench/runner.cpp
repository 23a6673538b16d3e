#include "bench/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/fresh_scene.hpp"
#include "check/error_measure.hpp"
#include "check/step_bounds.hpp"
#include "machine/facts.hpp"

namespace nbody::bench {
namespace {

constexpr double least_after_slow_start = 0.1;  // s: starting costs vary by some ms
constexpr double starts_in_lever = 8;           // so that starting is a small part of a request
constexpr double longest_lever = 16;            // of the wanted time; no start takes that long
constexpr double most_interactions = 1e14;      // per second; far beyond any machine
constexpr int most_attempts = 6;                // of a round, on a machine that others use
constexpr std::size_t rows_to_check = 64;
constexpr std::uint64_t fewest_to_wake = 4;
constexpr double shortest_time = 0.5, longest_time = 4;  // of a request, times the typical one

template <typename Action>
void guarded(std::string& fault, Action action) {
  if (!fault.empty()) return;
  try {
    action();
  } catch (const protocol::SessionError& error) {
    fault = error.what();
  }
}

protocol::SessionOptions options_of(const TimedProgram& program, protocol::Precision precision) {
  protocol::SessionOptions options{.expected = program.hello, .launcher = program.launcher};
  options.expected.precision = precision;
  return options;
}

// A program's own default is a thread for each core, shared out to its processes.
unsigned workers_of(const TimingPlan& plan, const protocol::Launch& launcher) {
  const unsigned processes = launcher.has_ranks() ? std::max(1U, launcher.ranks) : 1;
  const unsigned all = machine::machine_facts().hardware_threads;
  return plan.threads > 0 ? plan.threads * processes : std::max(processes, all);
}

}  // namespace

Runner::Runner(const TimedProgram& program, const TimingPlan& plan, const TypicalScene& typical)
    : plan_(plan),
      typical_(typical),
      has_ranks_(program.launcher.has_ranks()),
      workers_(workers_of(plan, program.launcher)),
      session_(program.program, program.arguments, options_of(program, plan.precision)),
      random_(seed_or_random(plan.seed)) {
  result_.name = program.name;
  const std::vector<double>& masses = typical.scene.bodies.mass;
  const double all = std::accumulate(masses.begin(), masses.end(), 0.0);
  const bool giant = *std::max_element(masses.begin(), masses.end()) > all / 100;
  const check::Tolerance tolerance = check::tolerance_named("standard", plan.precision);
  result_.limit =
      giant ? check::plain_sum_limit(tolerance, plan.n) : check::force_limit(tolerance, plan.n);
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

// Everything expensive is done here, before the clock starts.
Runner::Prepared Runner::prepared(std::uint64_t steps) {
  Scene scene = fresh_scene(plan_.scene, plan_.n, random_.bits());
  if (steps > 0 && typical_.time > 0) {
    // Long ones, so that a force that is taken over from the last step shows in where they end.
    const double time =
        typical_.time * shortest_time * std::pow(longest_time / shortest_time, random_.uniform());
    scene.setting.dt = time / static_cast<double>(steps);
    // Adaptive steps are so short that two joined ones end at the same place: most have a floor.
    if (plan_.adaptive && random_.bits() % 4 > 0) scene.setting.dt_floor = scene.setting.dt;
  }
  Prepared ready;
  ready.rows = sampled_rows(plan_.n, rows_to_check, random_);
  ready.pulls =
      reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening, ready.rows)
          .acceleration;
  protocol::Request& request = ready.request;
  request.bodies = std::move(scene.bodies);
  request.setting = scene.setting;
  request.precision = plan_.precision;
  request.adaptive = plan_.adaptive;
  request.threads = plan_.threads;
  request.steps = steps;
  request.want_accelerations = true;
  return ready;
}

// A stopped program has cold caches and sleeping threads: an untimed request wakes it, which looks
// like those that are timed. Long steps need none.
void Runner::wake() {
  if (plan_.starts_slowly) return;
  session_.resume();
  if (steps_ < fewest_to_wake) return;
  const auto lengths = lengths_around(steps_);
  session_.ask(prepared(*std::ranges::min_element(lengths)).request, plan_.timeout_s);
}

double Runner::seconds_for(std::uint64_t steps) {
  Prepared ready = prepared(steps);
  wake();
  protocol::Answer answer = session_.ask(ready.request, plan_.timeout_s);
  check(ready, answer);
  if (!plan_.starts_slowly) session_.pause();
  return session_.answer_seconds();
}

void Runner::choose_steps() {
  guarded(result_.fault, [&] {
    seconds_for(0);
    const double without_steps = std::min(seconds_for(0), seconds_for(0));
    const double wanted = std::max(plan_.seconds, plan_.starts_slowly ? least_after_slow_start : 0);
    const auto part_of_wanted = [&] {
      auto lengths = lengths_around(steps_);
      std::sort(lengths.begin(), lengths.end());
      const double lever = seconds_for(lengths[2]) - seconds_for(lengths[0]);
      const double step = lever / static_cast<double>(lengths[2] - lengths[0]);
      const double least = std::max(wanted, starts_in_lever * (without_steps - step));
      return lever / std::min(least, longest_lever * wanted);
    };
    const double n = static_cast<double>(plan_.n);
    // A disturbance makes a few steps look long, and with too few steps no line is straight: so
    // they must be long enough by far, or twice in a row.
    double part = 0;
    const auto long_enough = [&] {
      part = part_of_wanted();
      return part >= 2 || (part >= 1 && (part = part_of_wanted()) >= 1);
    };
    for (steps_ = 1; !long_enough();) {
      steps_ *= 2;
      if (n * n * static_cast<double>(steps_) < most_interactions * wanted) continue;
      note_missed_pulls();
      result_.fault = result_.wrong.empty()
                          ? fmt::format("{} steps take no measurable time", steps_)
                          : "WRONG: " + result_.wrong;
      break;
    }
    // No other programs disturb an accelerator: no longer than necessary.
    if (plan_.starts_slowly && part > 1.2) {
      const std::uint64_t enough = steps_;
      steps_ = static_cast<std::uint64_t>(std::ceil(static_cast<double>(steps_) * 0.6 / part)) * 2;
      if (part_of_wanted() < 1) steps_ = enough;
    }
  });
}

// Seconds per step; 0 if the round does not count.
double Runner::ask_three() {
  const auto lengths = lengths_around(steps_);
  std::vector<Prepared> ready;
  for (const std::uint64_t steps : lengths) ready.push_back(prepared(steps));
  std::array<TimedSteps, 3> timed;
  std::vector<protocol::Answer> answers;
  wake();
  const CoreClock clock(session_);
  double wall = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    answers.push_back(session_.ask(ready[k].request, plan_.timeout_s));
    wall += session_.answer_seconds();
    timed[k] = {lengths[k], session_.answer_seconds()};
  }
  last_ = clock.use(wall);
  all_ += last_;
  if (!plan_.starts_slowly) session_.pause();
  for (std::size_t k = 0; k < 3; ++k) {
    check(ready[k], answers[k]);
    remember(ready[k], answers[k]);
  }
  const StepTime time = step_time(timed);
  if (!plan_.starts_slowly && had_too_few_cores(last_, workers_)) {
    ++starved_;
    return 0;
  }
  lines_.push_back(time);
  if (plan_.starts_slowly) return std::max(0.0, time.seconds);
  return disturbed(time)
             ? 0
             : step_seconds(time, *std::max_element(timed.begin(), timed.end(), shorter));
}

// A machine that stays busy is not asked six times in each of many rounds.
double Runner::measure(double& wait_s) {
  double seconds = 0;
  guarded(result_.fault, [&] {
    const int attempts = starved_in_a_row_ >= 2 ? 1 : most_attempts;
    for (int attempt = 0; attempt < attempts && seconds == 0;) {
      const std::size_t starved_before = starved_;
      seconds = ask_three();
      const bool starved = starved_ > starved_before;
      if (seconds > 0 || !starved || !wait_for_cores(workers_, wait_s)) ++attempt;
    }
    starved_in_a_row_ = seconds == 0 ? starved_in_a_row_ + 1 : 0;
    result_.neighbours.push_back(last_.cores_of_others());
  });
  return seconds;
}

}  // namespace nbody::bench
