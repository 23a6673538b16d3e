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

// Runners as benchmarks of Google Benchmark, of which one iteration is a round, and its time that
// of a time step. A round is a repetition of each, in random order. Not the library's own
// repetitions: it would shuffle all of them at once, so that rounds to be compared lay far apart,
// and would give no row before the last round of all. Rows of one number of bodies are compared:
// each of their rounds measures all of them; medians over rounds are taken in Python
// (measure/bench_result.py).
class Measurement : private benchmark::BenchmarkReporter {
 public:
  Measurement(const Plan& plan, const Listener& listener)
      : plan_(plan), listener_(listener), wait_s_(plan.wait_s), timings_(plan.rows.size()) {
    all_ = plan.rows.size() * static_cast<std::size_t>(plan.rounds);
    for (std::size_t k = 0; k < plan.rows.size(); ++k) rows_of_[plan.rows[k].n].push_back(k);
    for (const auto& [n, rows] : rows_of_) {  // complains before anything is timed
      const Scene scene = fresh_scene(plan.scene, n, seed_or_random(plan.seed));
      typical_[n] = {scene, time_to_follow(scene)};
    }
    SetErrorStream(&complaints_);
    // The library keeps a pointer to the first.
    static std::string program = "bench", order = "--benchmark_enable_random_interleaving=true";
    char* words[] = {program.data(), order.data(), nullptr};
    int count = 2;
    benchmark::Initialize(&count, words);
  }

  // Few bodies first, so that their rows are known soon.
  std::vector<Timing> run() {
    const double start = seconds_now();
    for (const auto& [n, rows] : rows_of_) measure(rows);
    listener_.hear({{"google", google_json()},
                    {"seconds_spent", {{"all", seconds_now() - start}, {"timed", timed_s_}}},
                    {"stopped", stopped_}});
    return std::move(timings_);
  }

 private:
  // While a runner waits for an answer.
  void on_wait() {
    stopped_ = stopped_ || listener_.stops();
    if (stopped_) throw Stopped();
  }

  void begin(const std::string& what) {
    listener_.hear({{"done", done_}, {"all", all_}, {"doing", what}});
  }

  void measure(const std::vector<std::size_t>& numbers) {
    std::vector<std::unique_ptr<Runner>> runners;
    for (const std::size_t number : numbers) {
      const PlannedRow& row = plan_.rows[number];
      runners.push_back(
          std::make_unique<Runner>(row, plan_, typical_[row.n], [this] { on_wait(); }));
      begin("warming up " + row.name);
      if (!stopped_) runners.back()->choose_steps();
      all_ -= static_cast<std::size_t>(plan_.rounds - runners.back()->rounds());
    }
    for (int round = 1; round <= plan_.rounds && !stopped_; ++round) {
      for (const auto& runner : runners) {
        if (round > runner->rounds()) continue;
        const auto body = [this, round, &runner = *runner](benchmark::State& state) {
          measure(runner, round, state);
        };
        benchmark::RegisterBenchmark(runner->row().name.c_str(), body)
            ->Iterations(1)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
      }
      benchmark::RunSpecifiedBenchmarks(this);
      benchmark::ClearRegisteredBenchmarks();
    }
    for (std::size_t k = 0; k < numbers.size(); ++k) finish(*runners[k], numbers[k]);
  }

  void measure(Runner& runner, int round, benchmark::State& state) {
    if (stopped_) return state.SkipWithError("stopped");
    begin(fmt::format("round {} of {}, {}", round, runner.rounds(), runner.row().name));
    ++done_;
    for (auto _ : state) {
      const double seconds = runner.measure(wait_s_);
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

  void finish(Runner& runner, std::size_t number) {
    begin("asking again: " + runner.row().name);
    if (!stopped_) runner.judge_steps();
    timed_s_ += runner.timed_seconds();
    timings_[number] = runner.finish();
    listener_.hear({{"row", number}, {"timing", timings_[number]}});
  }

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (Run run : runs) {
      run.repetition_index = rounds_[run.benchmark_name()]++;
      runs_.push_back(std::move(run));
    }
  }

  // The library's report of all rounds.
  nlohmann::json google_json() {
    for (Run& run : runs_) run.repetitions = rounds_[run.benchmark_name()];
    std::ostringstream out;
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&out);
    reporter.SetErrorStream(&out);
    reporter.ReportContext(Context());
    reporter.ReportRuns(runs_);
    reporter.Finalize();
    return nlohmann::json::parse(out.str());
  }

  const Plan& plan_;
  const Listener& listener_;
  double wait_s_;  // left for waiting until there are free cores
  double timed_s_ = 0;
  bool stopped_ = false;
  std::vector<Timing> timings_;
  std::map<std::size_t, std::vector<std::size_t>> rows_of_;  // by the number of bodies
  std::map<std::size_t, TypicalScene> typical_;
  std::size_t done_ = 0, all_ = 0;  // rounds
  std::vector<Run> runs_;
  std::map<std::string, int> rounds_;  // of each benchmark
  std::ostringstream complaints_;
};

}  // namespace

std::vector<Timing> measure(const Plan& plan, const Listener& listener) {
  return Measurement(plan, listener).run();
}

}  // namespace nbody::bench
