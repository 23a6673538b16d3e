#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/runner.hpp"

namespace nbody::bench {

// A benchmark of Google Benchmark: its rounds are measured by a runner that is already warm.
struct GoogleCase {
  std::string name;
  Runner* runner = nullptr;
  double interactions = 0;  // per iteration
  double flops = 0;         // per iteration
  // Filled in: seconds per iteration in each round, 0 if there is none, and seconds per cycle of
  // this core around it.
  std::vector<double> seconds, cycles;
};

// Why Google Benchmark is missing; empty if it is not.
std::string reason_against_google();

// Measures all of them in each round, in random order, and waits for free cores, in all at most
// `wait_s`. Returns Google Benchmark's report as JSON.
std::string run_with_google(std::vector<GoogleCase>& cases, int rounds, double wait_s,
                            const std::function<void(const std::string&)>& on_progress);

}  // namespace nbody::bench
