#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

namespace nbody::machine {

// Registers a benchmark whose body runs once in each repetition, and tells the library its time.
// What it returns is the counter "value", of which the library reports the median and these: best,
// the highest, and spread, the relative width of the middle half.
void add_benchmark(const std::string& name, int repetitions,
                   const std::function<double(benchmark::State&)>& body);

// One piece of a thread's work; returns how much it was: flops, bytes.
using Work = std::function<double()>;

// Registers what all threads of OpenMP do per second.
void add_rate(const std::string& name, double seconds, const Work& work);

// Measures what is registered, or the part that --benchmark_filter names, and prints the library's
// JSON.
void run_benchmarks(int argc, char** argv);

}  // namespace nbody::machine
