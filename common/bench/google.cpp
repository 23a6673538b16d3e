#include "bench/google.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <sstream>

#include "machine/core_clock.hpp"

namespace nbody {
namespace {

// An iteration of the benchmark is a round, and its time is that of a time step.
void run_round(benchmark::State& state, GoogleCase& one) {
  double seconds = 0, cycle = 0;
  for (auto _ : state) {
    const double cycle_before = cycle_seconds();
    seconds = one.runner->measure();
    cycle = (cycle_before + cycle_seconds()) / 2;
    if (seconds > 0) {
      state.SetIterationTime(seconds);
    } else {
      const std::string& fault = one.runner->fault();
      state.SkipWithError(fault.empty() ? "t(2K) does not fit t(K): too busy to measure"
                                        : fault.c_str());
      break;
    }
  }
  if (!(seconds > 0)) return;
  one.cycles.push_back(cycle);
  state.counters["interactions_per_s"] = one.interactions / seconds;
  state.counters["flops_per_s"] = one.flops / seconds;
  state.counters["interactions_per_cycle_and_thread"] =
      one.interactions / seconds * cycle / one.threads;
}

}  // namespace

std::string reason_against_google() { return ""; }

std::string run_with_google(std::vector<GoogleCase>& cases, int rounds,
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
      run_round(state, one);
    };
    benchmark::RegisterBenchmark(one.name.c_str(), body)
        ->Iterations(1)
        ->Repetitions(rounds)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  std::ostringstream out, complaints;
  benchmark::JSONReporter json;
  json.SetOutputStream(&out);
  json.SetErrorStream(&complaints);
  benchmark::RunSpecifiedBenchmarks(&json);
  benchmark::ClearRegisteredBenchmarks();
  return out.str();
}

}  // namespace nbody
