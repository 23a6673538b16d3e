#include "bench/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "check/error_measure.hpp"
#include "check/step_bounds.hpp"
#include "protocol/session.hpp"

namespace nbody {
namespace {

class Runner {
 public:
  Runner(const TimedProgram& program, const TimingPlan& plan)
      : plan_(plan), session_(program.program) {
    result.name = program.name;
  }

  Timing result;

  // Also the warm-up: doubles K until K steps take long enough to be measured.
  void choose_steps() {
    guarded([&] {
      double took = 0;
      for (steps_ = 1;; steps_ *= 2) {
        took = seconds_for(steps_);
        if (took >= plan_.seconds) break;
      }
    });
  }

  void measure() {
    guarded([&] {
      const double once = seconds_for(steps_), twice = seconds_for(2 * steps_);
      // A disturbance during t(K) alone can leave a difference that is no time at all.
      result.rounds.push_back(std::max(0.0, (twice - once) / static_cast<double>(steps_)));
    });
  }

  void finish() {
    if (!result.fault.empty()) return;
    std::vector<double> per_step;
    for (const double seconds : result.rounds) {
      if (seconds > 0) per_step.push_back(seconds);
    }
    if (per_step.empty()) {
      result.fault = "the machine is too busy to measure: t(2K) was never above t(K)";
      return;
    }
    const double n = static_cast<double>(plan_.scene.bodies.size());
    std::vector<double> rates;
    for (const double seconds : per_step) rates.push_back(n * n / seconds);
    result.seconds_per_step = statistics_of(per_step);
    result.interactions_per_second = statistics_of(rates);
    check_what_was_timed();
  }

 private:
  template <typename Action>
  void guarded(Action action) {
    if (!result.fault.empty()) return;
    try {
      action();
    } catch (const SessionError& error) {
      result.fault = error.what();
    }
  }

  double seconds_for(std::uint64_t steps) {
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

  void check_what_was_timed() {
    const Bodies<double> end = bodies_in(plan_.scene, last_.states.back());
    const Reference reference =
        reference_accelerations(end, plan_.scene.setting.G, plan_.scene.setting.softening);
    result.error = force_error(reference, last_.accelerations).max;
  }

  const TimingPlan& plan_;
  Session session_;
  std::uint64_t steps_ = 1;
  Answer last_;
};

}  // namespace

std::vector<Timing> time_interleaved(const std::vector<TimedProgram>& programs,
                                     const TimingPlan& plan) {
  std::vector<std::unique_ptr<Runner>> runners;
  for (const auto& program : programs) runners.push_back(std::make_unique<Runner>(program, plan));
  for (auto& runner : runners) {
    plan.on_progress(fmt::format("warming up {}", runner->result.name));
    runner->choose_steps();
  }
  for (int round = 0; round < plan.rounds; ++round) {
    for (auto& runner : runners) {
      plan.on_progress(
          fmt::format("round {} of {}: {}", round + 1, plan.rounds, runner->result.name));
      runner->measure();
    }
  }
  std::vector<Timing> timings;
  for (auto& runner : runners) {
    runner->finish();
    timings.push_back(runner->result);
  }
  return timings;
}

}  // namespace nbody
