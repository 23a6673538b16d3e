#include "bench/runner.hpp"

#include <algorithm>

#include "check/error_measure.hpp"
#include "check/step_bounds.hpp"

namespace nbody {
namespace {

constexpr double most_disagreement = 1.5;
constexpr double least_after_slow_start = 0.2;  // s: what starting takes changes by some ms

template <typename Action>
void guarded(std::string& fault, Action action) {
  if (!fault.empty()) return;
  try {
    action();
  } catch (const SessionError& error) {
    fault = error.what();
  }
}

// All bodies, or where that would take longer than the measurement, some: first and last among
// them.
std::vector<std::size_t> rows_to_check(std::size_t n) {
  constexpr std::size_t largest_n_for_all = 16384, sample = 256;
  const std::size_t count = n <= largest_n_for_all ? n : sample;
  std::vector<std::size_t> rows(count);
  for (std::size_t k = 0; k < count; ++k) rows[k] = count == n ? k : k * (n - 1) / (count - 1);
  return rows;
}

Vectors<double> rows_of(const Vectors<double>& all, const std::vector<std::size_t>& rows) {
  Vectors<double> some;
  for (const std::size_t i : rows) {
    some.x.push_back(all.x[i]);
    some.y.push_back(all.y[i]);
    some.z.push_back(all.z[i]);
  }
  return some;
}

SessionOptions options_of(const TimedProgram& program, Precision precision) {
  SessionOptions options{.expected = program.hello};
  options.expected.precision = precision;
  return options;
}

}  // namespace

double step_seconds(double once, double twice, std::uint64_t steps) {
  const double k = static_cast<double>(steps);
  const double seconds = (twice - once) / k;
  // Behind the steps, the accelerations that are checked are computed once more.
  const double by_one_clock = twice / (2 * k + 1);
  const double ratio = seconds / by_one_clock;
  return ratio <= most_disagreement && ratio >= 1 / most_disagreement ? seconds : 0;
}

Runner::Runner(const TimedProgram& program, const TimingPlan& plan)
    : plan_(plan),
      session_(program.program, program.arguments, options_of(program, plan.precision)) {
  result_.name = program.name;
}

void Runner::choose_steps() {
  guarded(result_.fault, [&] {
    double least = plan_.seconds;
    if (plan_.starts_slowly) {
      // Memory of a GPU is asked for, bodies are sent and come back: of many bodies that takes
      // longer than the steps, and never the same. K steps shall stand out from it.
      seconds_for(0);
      least = std::max({least, least_after_slow_start, seconds_for(0)});
    }
    // Twice, for a disturbance makes a few steps look long, and with too few of them t(2K) never
    // fits t(K).
    const auto long_enough = [&] { return seconds_for(2 * steps_) - seconds_for(steps_) >= least; };
    for (steps_ = 1; !(long_enough() && long_enough());) steps_ *= 2;
  });
}

double Runner::measure() {
  double seconds = 0;
  guarded(result_.fault, [&] {
    for (int attempt = 0; attempt < 4 && seconds == 0; ++attempt) {
      const double once = seconds_for(steps_), twice = seconds_for(2 * steps_);
      seconds = plan_.starts_slowly ? std::max(0.0, (twice - once) / static_cast<double>(steps_))
                                    : step_seconds(once, twice, steps_);
    }
    result_.rounds.push_back(seconds);
  });
  return seconds;
}

Timing Runner::finish() {
  result_.writes = !session_.diagnostics().empty();
  if (!result_.fault.empty()) return result_;
  std::vector<double> per_step;
  for (const double seconds : result_.rounds) {
    if (seconds > 0) per_step.push_back(seconds);
  }
  if (per_step.empty()) {
    result_.fault = "the machine is too busy to measure: t(2K) never fitted t(K)";
    return result_;
  }
  const double n = static_cast<double>(plan_.scene.bodies.size());
  std::vector<double> rates;
  for (const double seconds : per_step) rates.push_back(n * n / seconds);
  result_.seconds_per_step = statistics_of(per_step);
  result_.interactions_per_second = statistics_of(rates);
  check_what_was_timed();
  return result_;
}

double Runner::seconds_for(std::uint64_t steps) {
  Request request;
  request.bodies = plan_.scene.bodies;
  request.setting = plan_.scene.setting;
  request.precision = plan_.precision;
  request.adaptive = plan_.adaptive;
  request.threads = plan_.threads;
  request.steps = steps;
  request.want_accelerations = true;
  last_ = session_.ask(request, plan_.timeout_s);
  return session_.answer_seconds();
}

void Runner::check_what_was_timed() {
  const Bodies<double> end = bodies_in(plan_.scene, last_.states.back());
  const std::vector<std::size_t> rows = rows_to_check(end.size());
  const Reference reference =
      reference_accelerations(end, plan_.scene.setting.G, plan_.scene.setting.softening, rows);
  result_.error = force_error(reference, rows_of(last_.accelerations, rows)).max;
}

}  // namespace nbody
