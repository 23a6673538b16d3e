#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdio>

#include "bench/measure.hpp"
#include "bench/plan.hpp"
#include "bench/result.hpp"
#include "command_line/run_main.hpp"
#include "core/text_file.hpp"

// ./lab bench: times all implementations of a part, in random order, at one N or several, and
// writes what it found to a file. The tables are made of that (common/lab/src/nbody_lab/measure).

namespace {

using namespace nbody;
using namespace nbody::bench;

std::atomic<bool> stopped = false;

// The first Ctrl-C, or end of a job's time, keeps what is measured; the second ends the program.
void stop_after_this(int signal) {
  stopped = true;
  std::signal(signal, SIG_DFL);
}

int measure_into_file(const BenchPlan& plan) {
  // A file that cannot be written is refused now, not after minutes of measuring.
  demand_writable(plan.json);
  for (const int signal : {SIGINT, SIGTERM}) {
    if (std::signal(signal, stop_after_this) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  const BenchRun run = measure(plan, [] { return stopped.load(); });
  write_text_file(plan.json, result_json(run.result, run.google_json));
  if (stopped) return 128 + SIGINT;
  return as_expected(run.result) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_main("bench", [&] {
    const auto plan = parse_bench_plan(argc, argv);
    return plan ? measure_into_file(*plan) : 0;
  });
}
