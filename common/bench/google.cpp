#include "bench/google.hpp"

#include <benchmark/benchmark.h>

#include <map>
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
  if (one.runner->stopped()) return;
  one.seconds.push_back(seconds);
  if (!(seconds > 0)) return;
  one.cycles.push_back(cycle);
  state.counters["interactions_per_s"] = one.interactions / seconds;
  state.counters["flops_per_s"] = one.flops / seconds;
  state.counters["seconds_of_a_cycle"] = cycle;
}

}  // namespace

class GoogleRounds::Collector : public benchmark::BenchmarkReporter {
 public:
  Collector() { SetErrorStream(&complaints_); }
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (Run run : runs) {
      run.repetition_index = rounds_[run.benchmark_name()]++;
      runs_.push_back(std::move(run));
    }
  }

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
  std::vector<Run> runs_;
  std::map<std::string, int> rounds_;  // of each benchmark
  std::ostringstream complaints_;
};

GoogleRounds::GoogleRounds() : collector_(std::make_unique<Collector>()) {
  // The library keeps a pointer to the first.
  static std::string program = "bench", order = "--benchmark_enable_random_interleaving=true";
  char* words[] = {program.data(), order.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, words);
}

GoogleRounds::~GoogleRounds() = default;

void GoogleRounds::measure(const std::vector<GoogleCase*>& cases, double& wait_s,
                           const std::function<bool(const GoogleCase&)>& before) {
  for (GoogleCase* one : cases) {
    const auto body = [one, &wait_s, &before](benchmark::State& state) {
      if (before(*one)) {
        run_round(state, *one, wait_s);
      } else {
        state.SkipWithError("stopped");
      }
    };
    benchmark::RegisterBenchmark(one->name.c_str(), body)
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks(collector_.get());
  benchmark::ClearRegisteredBenchmarks();
}

std::string GoogleRounds::json() const { return collector_->json(); }

}  // namespace nbody::bench
