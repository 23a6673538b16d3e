#include "bench/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  struct Measured {
    std::size_t number = 0;  // of the row
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
      const PlannedRow& row = plan_.rows[number];
      const double interactions = static_cast<double>(row.n) * static_cast<double>(row.n);
      Measured next{number,
                    std::make_unique<Runner>(row, plan_, typical_[row.n], [this] { on_wait(); }),
                    {row.name, nullptr, interactions, interactions * row.flops}};
      next.google.runner = next.runner.get();
      begin("warming up " + row.name);
      if (!measurement_.stopped) next.runner->choose_steps();
      next.rounds = next.left = next.runner->affordable(plan_.rounds);
      all_ -= static_cast<std::size_t>(plan_.rounds - next.rounds);
      group.push_back(std::move(next));
    }
    measurement_.spent.warming_up += seconds_now() - start;
    return group;
  }

  void measure(const std::vector<std::size_t>& numbers) {
    Group group = warm(numbers);
    for (int round = 1; round <= plan_.rounds && !measurement_.stopped; ++round) {
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
