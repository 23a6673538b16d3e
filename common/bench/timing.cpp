#include "bench/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "bench/fresh_scene.hpp"
#include "bench/google.hpp"
#include "bench/runner.hpp"
#include "core/input_error.hpp"
#include "machine/clock.hpp"

namespace nbody::bench {
namespace {

using machine::seconds_now;

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

// One after another for each number of bodies, so that rows of few are known soon. Those of one
// number are compared: each of their rounds measures all of them.
class Timetable {
 public:
  Timetable(const std::vector<TimedCase>& cases, int rounds, const Listener& listener,
            double wait_s)
      : cases_(cases), rounds_(rounds), listener_(listener), wait_s_(wait_s) {
    measurement_.timings.resize(cases.size());
    all_ = cases.size() * static_cast<std::size_t>(rounds);
    for (const TimedCase& one : cases) typical_.of(one.plan);  // complains before anything is timed
  }

  Measurement run() {
    const double start = seconds_now();
    std::set<std::size_t> sizes;
    for (const TimedCase& one : cases_) sizes.insert(one.plan.n);
    for (const std::size_t n : sizes) {
      std::vector<std::size_t> of_size;
      for (std::size_t k = 0; k < cases_.size(); ++k) {
        if (cases_[k].plan.n == n) of_size.push_back(k);
      }
      measure(of_size);
    }
    measurement_.google_json = google_.json();
    measurement_.spent.all = seconds_now() - start;
    return std::move(measurement_);
  }

 private:
  struct Measured {
    std::size_t number = 0;  // of the case
    std::unique_ptr<Runner> runner;
    GoogleCase google;
    int rounds = 0, left = 0;
  };
  using Group = std::vector<Measured>;

  // While a runner waits for an answer.
  void on_wait() {
    if (measurement_.stopped || listener_.stops()) {
      measurement_.stopped = true;
      throw Stopped();
    }
  }

  void begin(const std::string& what) { listener_.progress(done_, all_, what); }

  Group warm(const std::vector<std::size_t>& numbers) {
    Group group;
    const double start = seconds_now();
    for (const std::size_t number : numbers) {
      const TimedCase& one = cases_[number];
      const double n = static_cast<double>(one.plan.n);
      Measured next{number,
                    std::make_unique<Runner>(one.program, one.plan, typical_.of(one.plan),
                                             [this] { on_wait(); }),
                    {one.program.name, nullptr, n * n, n * n * one.flops}};
      next.google.runner = next.runner.get();
      begin("warming up " + one.program.name);
      if (!measurement_.stopped) next.runner->choose_steps();
      next.rounds = next.left = next.runner->affordable(rounds_);
      all_ -= static_cast<std::size_t>(rounds_ - next.rounds);
      group.push_back(std::move(next));
    }
    measurement_.spent.warming_up += seconds_now() - start;
    return group;
  }

  void measure(const std::vector<std::size_t>& numbers) {
    Group group = warm(numbers);
    for (int round = 1; round <= rounds_ && !measurement_.stopped; ++round) {
      std::vector<GoogleCase*> of_round;
      for (Measured& one : group) {
        if (one.left > 0) of_round.push_back(&one.google);
      }
      if (of_round.empty()) break;
      google_.measure(of_round, wait_s_, [&](const GoogleCase& google) {
        if (measurement_.stopped) return false;
        Measured& now = *std::find_if(group.begin(), group.end(),
                                      [&](const Measured& one) { return &one.google == &google; });
        begin(fmt::format("round {} of {}, {}", round, now.rounds, google.name));
        --now.left;
        ++done_;
        return true;
      });
    }
    const double start = seconds_now();
    for (Measured& one : group) finish(one);
    measurement_.spent.judging += seconds_now() - start;
  }

  void finish(Measured& one) {
    begin("asking again: " + one.google.name);
    if (!measurement_.stopped) one.runner->judge_steps();
    measurement_.spent.timed += one.runner->timed_seconds();
    Timing& timing = measurement_.timings[one.number];
    timing = one.runner->finish(one.google.seconds);
    timing.cycles = one.google.cycles;
    listener_.known(one.number, timing);
  }

  const std::vector<TimedCase>& cases_;
  const int rounds_;
  const Listener& listener_;
  double wait_s_;
  TypicalScenes typical_;
  GoogleRounds google_;
  Measurement measurement_;
  std::size_t done_ = 0, all_ = 0;  // rounds
};

}  // namespace

Measurement measure_in_turn(const std::vector<TimedCase>& cases, int rounds,
                            const Listener& listener, double wait_s) {
  if (!reason_against_google().empty()) throw InputError(reason_against_google());
  return Timetable(cases, rounds, listener, wait_s).run();
}

}  // namespace nbody::bench
