#include "bench/timing.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "bench/fresh_scene.hpp"
#include "bench/google.hpp"
#include "bench/runner.hpp"
#include "bodies/input_error.hpp"

namespace nbody::bench {
namespace {

// One for each distribution and number of bodies.
class TypicalScenes {
 public:
  const TypicalScene& of(const TimingPlan& plan) {
    const auto key = std::pair(plan.scene, plan.n);
    const auto found = scenes_.find(key);
    if (found != scenes_.end()) return found->second;
    const Scene scene = fresh_scene(plan.scene, plan.n, seed_or_random(plan.seed));
    return scenes_[key] = {scene, time_to_follow(scene)};
  }

 private:
  std::map<std::pair<std::string, std::size_t>, TypicalScene> scenes_;
};

}  // namespace

Measurement measure_in_turn(const std::vector<TimedCase>& cases, int rounds,
                            const OnProgress& on_progress, double wait_s) {
  if (!reason_against_google().empty()) throw InputError(reason_against_google());
  TypicalScenes typical;
  std::vector<std::unique_ptr<Runner>> runners;
  std::vector<GoogleCase> google;
  for (const TimedCase& one : cases) {
    runners.push_back(std::make_unique<Runner>(one.program, one.plan, typical.of(one.plan)));
    const double n = static_cast<double>(one.plan.n);
    google.push_back({one.program.name, runners.back().get(), n * n, n * n * one.flops, {}, {}});
  }
  for (const auto& runner : runners) {
    on_progress(fmt::format("warming up {}", runner->name()));
    runner->choose_steps();
  }
  Measurement measurement;
  measurement.google_json = run_with_google(google, rounds, wait_s, on_progress);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    on_progress(fmt::format("asking {} again", runners[k]->name()));
    runners[k]->judge_steps();
    Timing timing = runners[k]->finish(google[k].seconds);
    timing.cycles = google[k].cycles;
    measurement.timings.push_back(std::move(timing));
  }
  return measurement;
}

}  // namespace nbody::bench
