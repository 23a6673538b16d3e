#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "machine/crowd.hpp"
#include "machine/kernel.hpp"
#include "machine/rates.hpp"

// bin/ceilings_SET: how fast this processor is with one instruction set, as JSON of Google
// Benchmark; nothing on a processor without it. OMP_NUM_THREADS and OMP_PLACES say with which
// threads. ./lab runs one program after another (common/lab/src/nbody_lab/measure/ceilings.py): a
// processor may clock lower in a program that uses wide vectors.

namespace nbody::machine {

struct PlannedTraffic {
  std::string operation;  // "load", "copy", "triad"
  std::string level;      // "L1": a word for the row's name
  std::size_t bytes = 0;  // all arrays of one thread together
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlannedTraffic, operation, level, bytes)

struct Plan {
  double seconds = 0;  // per row
  std::vector<PlannedTraffic> traffic;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Plan, seconds, traffic)

namespace {

void add(const Arithmetic& kernel, double seconds) {
  if (kernel.run == nullptr || !kernel.runs_here()) return;
  const auto work = [&kernel] {
    constexpr int operations = 1000 * in_flight;
    kernel.run(operations);
    return operations * kernel.amount;
  };
  add_rate(fmt::format("{}/{}/", kernel.operation, kernel.precision), seconds, work);
}

void add(const Traffic& kernel, const PlannedTraffic& planned, double seconds) {
  if (kernel.run == nullptr || kernel.operation != planned.operation) return;
  const auto work = [&kernel, bytes = planned.bytes] { return go_over_piece(kernel, bytes); };
  add_rate(fmt::format("{}/{}/{}", kernel.operation, kernel.precision, planned.level), seconds,
           work);
}

}  // namespace
}  // namespace nbody::machine

int main(int argc, char** argv) {
  using namespace nbody::machine;
  if (!instruction_set.runs_here()) return 0;
#ifndef _OPENMP
  if (std::getenv("OMP_NUM_THREADS") != std::string("1")) return 0;  // there is only one
#endif
  const auto plan = nlohmann::json::parse(std::cin).get<Plan>();
  for (const Arithmetic& kernel : instruction_set.arithmetic) add(kernel, plan.seconds);
  for (const PlannedTraffic& planned : plan.traffic) {
    for (const Traffic& kernel : instruction_set.traffic) add(kernel, planned, plan.seconds);
  }
  run_benchmarks(argc, argv);
}
