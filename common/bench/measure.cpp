#include "bench/measure.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "bench/fresh_scene.hpp"
#include "bench/google.hpp"
#include "bench/runner.hpp"
#include "machine/clock.hpp"

namespace nbody::bench {
namespace {

using machine::seconds_now;

// Those of one number of bodies are compared: each of their rounds measures all of them.
class Timetable {
 public:
  Timetable(const Plan& plan, const Listener& listener)
      : plan_(plan), listener_(listener), wait_s_(plan.wait_s) {
    measurement_.timings.resize(plan.rows.size());
    all_ = plan.rows.size() * static_cast<std::size_t>(plan.rounds);
    for (std::size_t k = 0; k < plan.rows.size(); ++k) rows_of_[plan.rows[k].n].push_back(k);
    for (const auto& [n, rows] : rows_of_) {  // complains before anything is timed
      const Scene scene = fresh_scene(plan.scene, n, seed_or_random(plan.seed));
      typical_[n] = {scene, time_to_follow(scene)};
    }
  }

  // Few bodies first, so that their rows are known soon.
  Measurement run() {
    const double start = seconds_now();
    for (const auto& [n, rows] : rows_of_) measure(rows);
    measurement_.google_json = google_.json();
    measurement_.spent.all = seconds_now() - start;
    return std::move(measurement_);
  }

 private:
  using Runners = std::vector<std::unique_ptr<Runner>>;

  // While a runner waits for an answer.
  void on_wait() {
    if (measurement_.stopped || listener_.stops()) {
      measurement_.stopped = true;
      throw Stopped();
    }
  }

  void begin(const std::string& what) { listener_.progress(done_, all_, what); }

  Runners warm(const std::vector<std::size_t>& numbers) {
    Runners runners;
    const double start = seconds_now();
    for (const std::size_t number : numbers) {
      const PlannedRow& row = plan_.rows[number];
      runners.push_back(
          std::make_unique<Runner>(row, plan_, typical_[row.n], [this] { on_wait(); }));
      begin("warming up " + row.name);
      if (!measurement_.stopped) runners.back()->choose_steps();
      all_ -= static_cast<std::size_t>(plan_.rounds - runners.back()->rounds());
    }
    measurement_.spent.warming_up += seconds_now() - start;
    return runners;
  }

  void measure(const std::vector<std::size_t>& numbers) {
    const Runners runners = warm(numbers);
    for (int round = 1; round <= plan_.rounds && !measurement_.stopped; ++round) {
      std::vector<Runner*> of_round;
      for (const auto& runner : runners) {
        if (round <= runner->rounds()) of_round.push_back(runner.get());
      }
      if (of_round.empty()) break;
      google_.measure(of_round, wait_s_, [&](const Runner& runner) {
        if (measurement_.stopped) return false;
        begin(fmt::format("round {} of {}, {}", round, runner.rounds(), runner.row().name));
        ++done_;
        return true;
      });
    }
    const double start = seconds_now();
    for (std::size_t k = 0; k < numbers.size(); ++k) finish(*runners[k], numbers[k]);
    measurement_.spent.judging += seconds_now() - start;
  }

  void finish(Runner& runner, std::size_t number) {
    begin("asking again: " + runner.row().name);
    if (!measurement_.stopped) runner.judge_steps();
    measurement_.spent.timed += runner.timed_seconds();
    measurement_.timings[number] = runner.finish();
    listener_.known(number, measurement_.timings[number]);
  }

  const Plan& plan_;
  const Listener& listener_;
  double wait_s_;
  std::map<std::size_t, std::vector<std::size_t>> rows_of_;  // by the number of bodies
  std::map<std::size_t, TypicalScene> typical_;
  GoogleRounds google_;
  Measurement measurement_;
  std::size_t done_ = 0, all_ = 0;  // rounds
};

}  // namespace

Measurement measure(const Plan& plan, const Listener& listener) {
  return Timetable(plan, listener).run();
}

}  // namespace nbody::bench
