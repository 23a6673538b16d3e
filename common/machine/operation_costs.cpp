#include <fmt/format.h>

#include "machine/clock.hpp"
#include "machine/crowd.hpp"
#include "machine/instruction_sets.hpp"
#include "machine/operations.hpp"
#include "machine/rates.hpp"

// bin/operation_costs: what scalar operations cost in cycles of the core, as JSON of Google
// Benchmark.

namespace nbody::machine {
namespace {

constexpr int rounds = 61;
constexpr int operations = 5000 * in_flight;

template <typename Operation, typename T>
[[gnu::noinline]] void dependent(int count) {
  const Operation operation;
  T value = T(Operation::start), x = T(Operation::x), y = T(Operation::y);
  keep(x);
  keep(y);
  for (int i = 0; i < count; ++i) {
    value = operation(value, x, y);
    keep(value);
  }
}

// Each round measures the core's clock before and after, since it may change.
void add_cycles(const std::string& name, void (*run)(int)) {
  add_benchmark(name, rounds, [run, cold = true](benchmark::State& state) mutable {
    if (cold) run(operations);
    cold = false;
    const double cycle_before = cycle_seconds();
    const double start = thread_seconds();
    run(operations);
    const double seconds = thread_seconds() - start;
    state.SetIterationTime(seconds);
    return seconds * 2 / (cycle_before + cycle_seconds()) / operations;
  });
}

// Latency: from operands to result. Throughput: when none waits for another.
template <typename Operation, typename T>
void add(const char* operation, bool there = true) {
  if constexpr (Exists<Operation, T>) {
    if (!there) return;
    const char* const precision = sizeof(T) == sizeof(float) ? "float" : "double";
    add_cycles(fmt::format("latency/{}/{}", precision, operation), dependent<Operation, T>);
    add_cycles(fmt::format("throughput/{}/{}", precision, operation),
               independent<Operation, Operation, T, T>);
  }
}

template <typename T>
void add_all() {
  add<Add, T>("add");
  add<Mul, T>("mul");
  add<Fma<Scalar>, T>("fma", Scalar::has_fma());
  add<Div, T>("div");
  add<Sqrt<Scalar>, T>("sqrt");
  add<Rsqrt, T>("1/sqrt");
  add<Estimate<Scalar>, T>("rsqrt", std::is_same_v<T, float> || Scalar::has_double_estimate());
  add<Pow, T>("pow");
}

}  // namespace
}  // namespace nbody::machine

int main(int argc, char** argv) {
  using namespace nbody::machine;
  add_benchmark("clock", 101, [](benchmark::State& state) {
    const double cycle = cycle_seconds();
    state.SetIterationTime(cycle);
    return 1 / cycle;
  });
  add_all<float>();
  add_all<double>();
  run_benchmarks(argc, argv);
}
