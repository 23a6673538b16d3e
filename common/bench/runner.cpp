#include "bench/runner.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/fresh_scene.hpp"
#include "check/error_measure.hpp"
#include "check/judge.hpp"
#include "machine/clock.hpp"

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

// A program's own default is a thread for each core, shared out to its processes.
unsigned workers_of(const PlannedRow& row) {
  const unsigned processes = launch_of(row).has_ranks() ? std::max(1U, row.ranks) : 1;
  cpu_set_t usable;
  CPU_ZERO(&usable);
  sched_getaffinity(0, sizeof usable, &usable);
  const auto all = static_cast<unsigned>(CPU_COUNT(&usable));
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
      session_(row.program, row.arguments,
               {.precision = precision_,
                .hello = row.hello,
                .launcher = launch_of(row),
                .on_wait = on_wait_}),
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

// Everything expensive is done here, before the clock starts.
Runner::Prepared Runner::prepared(std::uint64_t steps, std::size_t fewer) {
  const std::size_t n = fewer > 0 ? fewer : row_.n;
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
  ask(prepared(*std::ranges::min_element(lengths)).request);
}

double Runner::seconds_for(std::uint64_t steps, std::size_t fewer) {
  Prepared ready = prepared(steps, fewer);
  wake();
  Answer answer = ask(ready.request);
  check(ready, answer);
  if (!row_.starts_slowly) session_.pause();
  return session_.answer_seconds();
}

// Seconds per step; 0 if the round does not count.
double Runner::ask_round() {
  std::vector<Prepared> ready;
  if (single_) {
    ready.push_back(prepared(1));
  } else {
    for (const std::uint64_t steps : lengths_around(steps_)) ready.push_back(prepared(steps));
  }
  std::vector<TimedSteps> timed;
  std::vector<Answer> answers;
  wake();
  const CoreUse before = core_use(session_);
  double wall = 0;
  for (const Prepared& one : ready) {
    answers.push_back(ask(one.request));
    wall += session_.answer_seconds();
    timed.push_back({one.request.steps, session_.answer_seconds()});
  }
  last_ = core_use(session_).plus(before, -1);
  last_.seconds = wall;
  all_ = all_.plus(last_);
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

// Warming up: how many steps take long enough.

namespace {

constexpr double least_after_slow_start = 0.1;  // s: starting costs vary by some ms
constexpr double longest_lever = 16;            // of the wanted time; no start takes that long
constexpr double most_interactions = 1e14;      // per second; far beyond any machine
constexpr double soon = 2;                      // s that may be spent several times
constexpr double much_longer = 20;              // s: however slowly a request starts

}  // namespace

// Time grows as n^2 at most: how long it takes is known before minutes are spent.
void Runner::estimate_evaluation() {
  constexpr std::size_t fewest = 1000;  // with fewer it says nothing
  const auto squared = [](double factor) { return factor * factor; };
  for (const std::size_t divisor : {64, 8}) {
    const std::size_t n = row_.n / divisor;
    if (n < fewest) continue;
    if (evaluation_seconds_ / squared(static_cast<double>(divisor)) > soon) break;
    const double first = seconds_for(0, n);  // may include one-time costs
    const double seconds = first > soon ? first : std::min(first, seconds_for(0, n));
    evaluation_seconds_ = seconds * squared(static_cast<double>(row_.n) / static_cast<double>(n));
  }
}

// A round is one request of one step, of which the start is a small part, or known.
void Runner::measure_one_by_one() {
  if (row_.starts_slowly && evaluation_seconds_ < much_longer) {
    const double step = seconds_for(1) - evaluation_seconds_;
    start_seconds_ = std::max(0.0, evaluation_seconds_ - step);
  }
  single_ = true;
  const double round_s = 2 * evaluation_seconds_;
  rounds_ = std::clamp(static_cast<int>(plan_.longest_s / round_s), 1, plan_.rounds);
}

Runner::Lever Runner::lever(double without_steps) {
  const double wanted = std::max(plan_.seconds, row_.starts_slowly ? least_after_slow_start : 0);
  auto lengths = lengths_around(steps_);
  std::sort(lengths.begin(), lengths.end());
  const double seconds = seconds_for(lengths[2]) - seconds_for(lengths[0]);
  const double step = seconds / static_cast<double>(lengths[2] - lengths[0]);
  const double least =
      std::min(std::max(wanted, plan_.starts * (without_steps - step)), longest_lever * wanted);
  return {seconds / least, least};
}

// A disturbance makes a few steps look long, and with too few steps no line is straight: so they
// must be long enough by far, or twice in a row. No other programs disturb an accelerator.
void Runner::grow_steps(double without_steps) {
  constexpr double some = 0.05, few = 4, enough = 1.2;
  const double n = static_cast<double>(row_.n);
  steps_ = 1;
  for (;;) {
    Lever now = lever(without_steps);
    if (!row_.starts_slowly && now.part >= 1 && now.part < 2) now = lever(without_steps);
    if (now.part >= 1) return;
    const double factor = now.part > some ? enough / now.part : few;
    steps_ = static_cast<std::uint64_t>(std::ceil(static_cast<double>(steps_) * factor));
    if (n * n * static_cast<double>(steps_) < most_interactions * now.least) continue;
    result_.fault = fmt::format("{} steps take no measurable time", steps_);
    if (!result_.wrong.empty()) result_.outcome = NoNumbers::wrong;
    return;
  }
}

void Runner::choose_steps() {
  guarded([&] {
    const double long_step = row_.starts_slowly ? soon : plan_.long_step_s;
    estimate_evaluation();
    if (evaluation_seconds_ > (row_.starts_slowly ? much_longer : long_step)) {
      return measure_one_by_one();
    }
    evaluation_seconds_ = seconds_for(0);  // may include one-time costs
    if (evaluation_seconds_ < soon) {
      evaluation_seconds_ = std::min(seconds_for(0), seconds_for(0));
    }
    if (evaluation_seconds_ > long_step) return measure_one_by_one();
    grow_steps(evaluation_seconds_);
  });
}

// What is found out about the answers.

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

void Runner::note_wrong(const std::string& what) {
  if (result_.wrong.empty()) result_.wrong = what;
}

void Runner::check(Prepared& asked, Answer& answer) {
  const Request& request = asked.request;
  const State& end = answer.states.back();
  const Bodies<double> moved = check::bodies_in(request.bodies, end);
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
  if (row_.threads > 0 && !row_.starts_slowly && had_more_cores(all_, workers_)) {
    note_wrong(fmt::format("it used {:.1f} cores where {} {} asked for", all_.cores(), workers_,
                           workers_ == 1 ? "thread was" : "threads were"));
  }
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
