#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "bench/runner.hpp"

namespace nbody::bench {

// Runners as benchmarks of Google Benchmark. A round is a repetition of each, in random order. Not
// the library's own repetitions: it would shuffle all of them at once, so that rounds to be
// compared lay far apart, and would give no row before the last round of all.
class GoogleRounds : private benchmark::BenchmarkReporter {
 public:
  GoogleRounds();

  // Runners that are warm, for one round. `wait_s` is left for waiting until there are free cores.
  // Calls `before` with each, and leaves out the rest as soon as that returns false.
  void measure(const std::vector<Runner*>& runners, double& wait_s,
               const std::function<bool(const Runner&)>& before);
  // Google Benchmark's report of all rounds.
  std::string json();

 private:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override;

  std::vector<Run> runs_;
  std::map<std::string, int> rounds_;  // of each benchmark
  std::ostringstream complaints_;
};

}  // namespace nbody::bench
