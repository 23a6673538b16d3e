#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "attempt/trial.hpp"
#include "check/manifest.hpp"

namespace nbody {

// What is typed. The row before is one of the notebook, which Python keeps.
struct AttemptOptions {
  std::filesystem::path manifest = "build/release/manifest.json";
  std::string part, name;
  double expected = 1;
  std::uint64_t threads = 0;
  std::uint64_t ranks = 0;  // of a program of several processes; 0: as its part starts them
  std::string device;       // the GPU that is measured on; empty: none
  bool adaptive = false;
  std::uint64_t n = 0;  // bodies; 0: what fits the machine

  RowBefore before;                      // no number: the naive
  std::filesystem::path before_program;  // empty: it is gone
  std::uint64_t before_threads = 0;      // 0: nobody noted them
};

// What is measured, and under which conditions.
struct PlannedAttempt {
  AttemptPlan plan;
  std::string conditions, conditions_before;  // in words; of the row before, where they differ
  std::string device, threads;                // one of them is empty
  ImplementationEntry entry;
};

// Throws InputError where one of the programs cannot be started.
PlannedAttempt planned(const AttemptOptions& options);

}  // namespace nbody
