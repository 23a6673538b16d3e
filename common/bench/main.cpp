#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/measure.hpp"
#include "core/run_main.hpp"

// bin/bench: times simulator programs in turn. A plan as JSON on standard input, and lines of JSON
// on standard output: how far it is, each row as soon as it is known, and at the end what Google
// Benchmark writes. ./lab makes the plan and the tables (measure/bench.py of its Python package).

namespace {

using namespace nbody;
using namespace nbody::bench;

std::atomic<bool> stopped = false;

// The first Ctrl-C, or end of a job's time, keeps what is measured; the second ends the program.
void stop_after_this(int signal) {
  stopped = true;
  std::signal(signal, SIG_DFL);
}

int run() {
  const Plan plan = nlohmann::json::parse(std::cin).get<Plan>();
  for (const int signal : {SIGINT, SIGTERM}) {
    if (std::signal(signal, stop_after_this) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  Listener listener;
  listener.stops = [] { return stopped.load(); };
  listener.hear = [](const nlohmann::json& line) {
    // A fault may quote any bytes of a program.
    fmt::print("{}\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::fflush(stdout);
  };
  measure(plan, listener);
  return stopped ? 128 + SIGINT : 0;
}

}  // namespace

int main() { return run_main("bench", run); }
