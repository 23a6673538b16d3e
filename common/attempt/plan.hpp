#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "attempt/trial.hpp"
#include "check/manifest.hpp"

namespace nbody::attempt {

// The command line. The previous row is in the notebook, which Python keeps.
struct AttemptOptions {
  std::filesystem::path manifest = "build/release/manifest.json";
  std::string part, name;
  double expected = 1;
  std::uint64_t threads = 0;
  std::uint64_t ranks = 0;  // number of processes; 0: the part's default
  std::string device;       // the GPU that is measured on; empty: none
  bool adaptive = false;
  std::uint64_t n = 0;            // bodies; 0: a default for the machine
  double wait_s = 0;              // for free cores, in all
  std::filesystem::path program;  // kept from an earlier row; empty: that of the manifest

  RowBefore before;                      // no number: naive
  std::filesystem::path before_program;  // empty: it is gone
  std::uint64_t before_threads = 0;      // 0: not recorded
};

// What is measured, and under which conditions.
struct PlannedAttempt {
  AttemptPlan plan;
  std::string conditions, conditions_before;  // in words; those of the previous row, if different
  std::string device, threads;                // one of them is empty
  check::ImplementationEntry entry;
};

// Throws InputError if one of the programs cannot be started.
PlannedAttempt planned(const AttemptOptions& options);

}  // namespace nbody::attempt
