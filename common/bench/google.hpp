#pragma once

#include <functional>
#include <memory>
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
  std::vector<double> seconds = {}, cycles = {};
};

// A round is a repetition of each benchmark, in random order. Not the library's own repetitions:
// it would shuffle all of them at once, so that rounds to be compared lay far apart, and would give
// no row before the last round of all.
class GoogleRounds {
 public:
  GoogleRounds();
  ~GoogleRounds();

  // `wait_s` is left for waiting until there are free cores. Calls `before` with each, and leaves
  // out the rest as soon as that returns false.
  void measure(const std::vector<GoogleCase*>& cases, double& wait_s,
               const std::function<bool(const GoogleCase&)>& before);
  // Google Benchmark's report of all rounds.
  std::string json() const;

 private:
  class Collector;
  std::unique_ptr<Collector> collector_;
};

}  // namespace nbody::bench
