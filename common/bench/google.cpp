#include "bench/google.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <sstream>

#include "machine/core_clock.hpp"

namespace nbody::bench {
namespace {

// One iteration of the benchmark is a round, and its time is that of a time step.
void run_round(benchmark::State& state, GoogleCase& one, double& wait_s) {
  double seconds = 0, cycle = 0;
  for (auto _ : state) {
    const double cycle_before = machine::cycle_seconds();
    seconds = one.runner->measure(wait_s);
    cycle = (cycle_before + machine::cycle_seconds()) / 2;
    if (seconds > 0) {
      state.SetIterationTime(seconds);
    } else {
      const std::string& fault = one.runner->fault();
      state.SkipWithError(fault.empty() ? "too busy to measure: t(K) is not linear"
                                        : fault.c_str());
      break;
    }
  }
  one.seconds.push_back(seconds);
  if (!(seconds > 0)) return;
  one.cycles.push_back(cycle);
  state.counters["interactions_per_s"] = one.interactions / seconds;
  state.counters["flops_per_s"] = one.flops / seconds;
  state.counters["seconds_of_a_cycle"] = cycle;
}

// Collects the reports of all rounds.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    runs_.insert(runs_.end(), runs.begin(), runs.end());
  }

  void number_rounds(std::size_t from, int round, int rounds) {
    for (std::size_t k = from; k < runs_.size(); ++k) {
      runs_[k].repetition_index = round;
      runs_[k].repetitions = rounds;
    }
  }
  std::size_t size() const { return runs_.size(); }

  std::string json() const {
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
  std::vector<Run> runs_;
};

}  // namespace

std::string reason_against_google() { return ""; }

std::string run_with_google(std::vector<GoogleCase>& cases, int rounds, double wait_s,
                            const std::function<void(const std::string&)>& on_progress) {
  std::string program = "bench", order = "--benchmark_enable_random_interleaving=true";
  char* words[] = {program.data(), order.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, words);
  std::size_t done = 0;
  const std::size_t all = cases.size() * static_cast<std::size_t>(rounds);
  for (GoogleCase& one : cases) {
    const auto body = [&](benchmark::State& state) {
      on_progress(fmt::format("round {} of {}: {}", ++done, all, one.name));
      run_round(state, one, wait_s);
    };
    benchmark::RegisterBenchmark(one.name.c_str(), body)
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  // Not as repetitions: the library would shuffle all of them at once, and rounds to be compared
  // could lie far apart.
  Collector collector;
  std::ostringstream complaints;
  collector.SetErrorStream(&complaints);
  for (int round = 0; round < rounds; ++round) {
    const std::size_t before = collector.size();
    benchmark::RunSpecifiedBenchmarks(&collector);
    collector.number_rounds(before, round, rounds);
  }
  benchmark::ClearRegisteredBenchmarks();
  return collector.json();
}

}  // namespace nbody::bench
