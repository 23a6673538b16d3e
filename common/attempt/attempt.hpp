#pragma once

#include <functional>
#include <optional>
#include <string>

#include "bench/timing.hpp"
#include "check/plan.hpp"
#include "check/row.hpp"

namespace nbody::attempt {

// Checks and times a student's program against naive and the previous program. Quick, so that it is
// used often: some seconds on two cores.
struct AttemptPlan {
  bench::TimedProgram mine, naive;
  std::string part_and_name;  // of `mine`
  std::optional<bench::TimedProgram> before;
  unsigned threads = 0;                    // 0: the programs' own default, all cores
  std::optional<unsigned> threads_before;  // of the previous program, if different
  bool adaptive = false;                   // nearest neighbours are computed, too
  bool on_gpu = false;
  std::size_t n = 2000;
  int rounds = 9;                            // see gain_of()
  double wait_s = 0;                         // for free cores, in all
  std::uint64_t seed = check::drawn_seed();  // of the check
  std::function<void(const std::string&)> on_progress = [](const std::string&) {};
};

struct Attempt {
  check::Rows rows;                     // of the check, and one for a fault while it was timed
  std::string wrong;                    // why; empty when right
  std::string busy;                     // right, but not measured: why; empty when it was
  bench::Timing mine, naive;            // `mine` only has a fault if `wrong` says so
  std::optional<bench::Timing> before;  // empty if it is gone or no longer runs
};

// Throws InputError if naive does not run.
Attempt make_attempt(const AttemptPlan& plan);

}  // namespace nbody::attempt
