#include "bench/timing.hpp"

#include <fmt/format.h>

#include <memory>

#include "bench/runner.hpp"

namespace nbody {

std::vector<Timing> time_interleaved(const std::vector<TimedProgram>& programs,
                                     const TimingPlan& plan) {
  std::vector<std::unique_ptr<Runner>> runners;
  for (const auto& program : programs) runners.push_back(std::make_unique<Runner>(program, plan));
  for (auto& runner : runners) {
    plan.on_progress(fmt::format("warming up {}", runner->name()));
    runner->choose_steps();
  }
  for (int round = 0; round < plan.rounds; ++round) {
    for (auto& runner : runners) {
      plan.on_progress(fmt::format("round {} of {}: {}", round + 1, plan.rounds, runner->name()));
      runner->measure();
    }
  }
  std::vector<Timing> timings;
  for (auto& runner : runners) timings.push_back(runner->finish());
  return timings;
}

}  // namespace nbody
