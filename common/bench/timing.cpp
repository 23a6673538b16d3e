#include "bench/timing.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "bench/end_states.hpp"
#include "bench/fresh_scene.hpp"
#include "bench/google.hpp"
#include "bench/runner.hpp"
#include "bodies/input_error.hpp"

namespace nbody::bench {
namespace {

// One for each distribution and number: the bodies whose final state is judged.
class FollowedScenes {
 public:
  const FollowedScene& of(const TimingPlan& plan) {
    const auto key = std::pair(plan.scene, plan.n);
    const auto found = scenes_.find(key);
    if (found != scenes_.end()) return found->second;
    const Scene scene = fresh_scene(plan.scene, plan.n, seed_or_random(plan.seed));
    return scenes_[key] = {scene, time_to_follow(scene)};
  }

  // Null: too many bodies, or no forces.
  const EndStates* ends_of(const TimingPlan& plan) {
    const FollowedScene& followed = of(plan);
    if (plan.n > EndStates::largest_n || followed.time == 0) return nullptr;
    auto& ends = ends_[std::pair(plan.scene, plan.n)];
    if (!ends) ends = std::make_unique<EndStates>(followed.scene, followed.time);
    return ends.get();
  }

 private:
  std::map<std::pair<std::string, std::size_t>, FollowedScene> scenes_;
  std::map<std::pair<std::string, std::size_t>, std::unique_ptr<EndStates>> ends_;
};

}  // namespace

Measurement measure_in_turn(const std::vector<TimedCase>& cases, int rounds,
                            const OnProgress& on_progress, double wait_s) {
  if (!reason_against_google().empty()) throw InputError(reason_against_google());
  FollowedScenes followed;
  std::vector<std::unique_ptr<Runner>> runners;
  std::vector<GoogleCase> google;
  for (const TimedCase& one : cases) {
    runners.push_back(
        std::make_unique<Runner>(one.program, one.plan, followed.of(one.plan), rounds));
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
    on_progress(fmt::format("judging where {} ended", runners[k]->name()));
    Timing timing = runners[k]->finish(google[k].seconds);
    timing.cycles = google[k].cycles;
    const EndStates* ends = cases[k].plan.adaptive ? nullptr : followed.ends_of(cases[k].plan);
    if (timing.fault.empty()) runners[k]->judge_end(ends, timing);
    measurement.timings.push_back(std::move(timing));
  }
  return measurement;
}

}  // namespace nbody::bench
