#include "bench/google.hpp"

namespace nbody::bench {
namespace {

// One iteration of the benchmark is a round, and its time is that of a time step.
void run_round(benchmark::State& state, Runner& runner, double& wait_s) {
  double seconds = 0;
  for (auto _ : state) {
    seconds = runner.measure(wait_s);
    if (seconds > 0) {
      state.SetIterationTime(seconds);
    } else {
      const std::string& fault = runner.result().fault;
      state.SkipWithError(fault.empty() ? "too busy to measure: t(K) is not linear"
                                        : fault.c_str());
      break;
    }
  }
  if (!(seconds > 0)) return;
  const auto n = static_cast<double>(runner.row().n);
  state.counters["interactions_per_s"] = n * n / seconds;
  state.counters["flops_per_s"] = n * n * runner.row().flops / seconds;
  state.counters["seconds_of_a_cycle"] = runner.result().cycles.back();
}

}  // namespace

GoogleRounds::GoogleRounds() {
  SetErrorStream(&complaints_);
  // The library keeps a pointer to the first.
  static std::string program = "bench", order = "--benchmark_enable_random_interleaving=true";
  char* words[] = {program.data(), order.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, words);
}

void GoogleRounds::measure(const std::vector<Runner*>& runners, double& wait_s,
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

void GoogleRounds::ReportRuns(const std::vector<Run>& runs) {
  for (Run run : runs) {
    run.repetition_index = rounds_[run.benchmark_name()]++;
    runs_.push_back(std::move(run));
  }
}

std::string GoogleRounds::json() {
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

}  // namespace nbody::bench
