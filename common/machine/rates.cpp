#include "machine/rates.hpp"

#include <algorithm>
#include <limits>

#include "machine/clock.hpp"

namespace nbody::machine {
namespace {

constexpr double warm_up_s = 0.1;
// So long that reading the clock costs nothing, so short that some windows are undisturbed.
constexpr double longest_window_s = 0.01;
constexpr int fewest_windows = 5;

double highest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}
double spread(const std::vector<double>& unsorted) {
  std::vector<double> values = unsorted;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const double median = (values[(n - 1) / 2] + values[n / 2]) / 2;
  return median > 0 ? (values[n - 1 - n / 4] - values[n / 4]) / median : 0;
}

thread_local long pieces_of_window = 0;  // of this thread

// Each thread finds out how much of the work fits into a window on its core.
void warm_up(double seconds, double window_s, const Work& work) {
#pragma omp parallel
  {
    const double start = seconds_now();
    long pieces = 0;
    double taken = 0;
    for (; taken < seconds || pieces < 2; taken = seconds_now() - start) {
      work();
      ++pieces;
    }
    const double fitting = static_cast<double>(pieces) * window_s / taken;
    pieces_of_window = std::max(1L, static_cast<long>(fitting));
  }
}

// All threads start together; from the first start to the last end: a delayed thread makes it
// longer.
double rate_in_window(benchmark::State& state, const Work& work) {
  double start = std::numeric_limits<double>::max(), end = 0, amount = 0;
#pragma omp parallel reduction(min : start) reduction(max : end) reduction(+ : amount)
  {
#pragma omp barrier
    start = seconds_now();
    for (long piece = 0; piece < pieces_of_window; ++piece) amount += work();
    end = seconds_now();
  }
  state.SetIterationTime(end - start);
  return amount / (end - start);
}

}  // namespace

void add_benchmark(const std::string& name, int repetitions,
                   const std::function<double(benchmark::State&)>& body) {
  const auto once = [body](benchmark::State& state) {
    for (auto _ : state) state.counters["value"] = body(state);
  };
  benchmark::RegisterBenchmark(name.c_str(), once)
      ->Iterations(1)
      ->Repetitions(repetitions)
      ->UseManualTime()
      ->ReportAggregatesOnly()
      ->ComputeStatistics("best", highest)
      ->ComputeStatistics("spread", spread);
}

void add_rate(const std::string& name, double seconds, const Work& work) {
  const double window_s = std::min(longest_window_s, seconds / fewest_windows);
  const auto body = [=, cold = true](benchmark::State& state) mutable {
    if (cold) warm_up(std::min(warm_up_s, seconds), window_s, work);
    cold = false;
    return rate_in_window(state, work);
  };
  add_benchmark(name, static_cast<int>(seconds / window_s + 0.5), body);
}

void run_benchmarks(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::JSONReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
}

}  // namespace nbody::machine
