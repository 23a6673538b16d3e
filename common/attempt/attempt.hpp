#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "bench/timing.hpp"
#include "check/row.hpp"

namespace nbody {

// One look at a student's program: is it right, and how fast beside the naive and the program
// before it? Quick, so that it is asked often: some seconds on two cores.
struct AttemptPlan {
  TimedProgram mine, naive;
  std::optional<TimedProgram> before;
  unsigned threads = 0;                    // 0: the programs' own default, which is all
  std::optional<unsigned> threads_before;  // of the program before it, if not the same
  bool adaptive = false;                   // the nearest neighbours count, too
  bool on_gpu = false;
  std::size_t n = 2000;
  int rounds = 9;                // see gain_of()
  std::size_t largest_n = 4099;  // of the check
  std::function<void(const std::string&)> on_progress = [](const std::string&) {};
};

struct Attempt {
  Rows rows;                     // of the check, and one for what was wrong while it was timed
  std::string wrong;             // why; empty when right
  Timing mine, naive;            // `mine` has a fault only where `wrong` says so
  std::optional<Timing> before;  // empty when it is gone or no longer runs
};

// Throws InputError when the machine is too busy, or the naive does not run.
Attempt make_attempt(const AttemptPlan& plan);

}  // namespace nbody
