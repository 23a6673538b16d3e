#include "bench/measure.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <sstream>

#include "bench/fresh_scene.hpp"
#include "bench/runner.hpp"
#include "machine/clock.hpp"

namespace nbody::bench {
namespace {

using machine::seconds_now;

// One iteration of the benchmark is a round, and its time is that of a time step.
void run_round(benchmark::State& state, Runner& runner, double& wait_s) {
  for (auto _ : state) {
    const double seconds = runner.measure(wait_s);
    if (!(seconds > 0)) {
      const std::string& fault = runner.result().fault;
      state.SkipWithError(fault.empty() ? "too busy to measure: t(K) is not linear"
                                        : fault.c_str());
      break;
    }
    state.SetIterationTime(seconds);
    const auto n = static_cast<double>(runner.row().n);
    state.counters["interactions_per_s"] = n * n / seconds;
    state.counters["flops_per_s"] = n * n * runner.row().flops / seconds;
    state.counters["seconds_of_a_cycle"] = runner.result().cycles.back();
  }
}

// Runners as benchmarks of Google Benchmark. A round is a repetition of each, in random order. Not
// the library's own repetitions: it would shuffle all of them at once, so that rounds to be
// compared lay far apart, and would give no row before the last round of all.
class GoogleRounds : private benchmark::BenchmarkReporter {
 public:
  GoogleRounds() {
    SetErrorStream(&complaints_);
    // The library keeps a pointer to the first.
    static std::string program = "bench", order = "--benchmark_enable_random_interleaving=true";
    char* words[] = {program.data(), order.data(), nullptr};
    int count = 2;
    benchmark::Initialize(&count, words);
  }

  // Runners that are warm, for one round. `wait_s` is left for waiting until there are free cores.
  // Calls `before` with each, and leaves out the rest as soon as that returns false.
  void measure(const std::vector<Runner*>& runners, double& wait_s,
               const std::function<bool(const Runner&)>& before) {
    for (Runner* runner : runners) {
      const auto body = [runner, &wait_s, &before](benchmark::State& state) {
        if (before(*runner)) {
          run_round(state, *runner, wait_s);
        } else {
          state.SkipWithError("stopped");
        }
      };
      benchmark::RegisterBenchmark(runner->row().name.c_str(), body)
          ->Iterations(1)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
    benchmark::RunSpecifiedBenchmarks(this);
    benchmark::ClearRegisteredBenchmarks();
  }

  // Google Benchmark's report of all rounds.
  std::string json() {
    for (Run& run : runs_) run.repetitions = rounds_[run.benchmark_name()];
    std::ostringstream out;
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&out);
    reporter.SetErrorStream(&out);
    reporter.ReportContext(Context());
    reporter.ReportRuns(runs_);
    reporter.Finalize();
    return out.str();
  }

 private:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (Run run : runs) {
      run.repetition_index = rounds_[run.benchmark_name()]++;
      runs_.push_back(std::move(run));
    }
  }

  std::vector<Run> runs_;
  std::map<std::string, int> rounds_;  // of each benchmark
  std::ostringstream complaints_;
};

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
