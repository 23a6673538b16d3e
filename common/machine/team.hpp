#pragma once

#include <functional>
#include <vector>

namespace nbody::machine {

// Rates of repeated windows, per second. `spread` as in core_clock.hpp.
struct Rate {
  double best = 0;
  double median = 0;
  double spread = 0;
};

// One piece of a thread's work; returns how much it was: flops, bytes.
using Work = std::function<double()>;

// Seconds. A window is long enough that reading the clock costs nothing, and short enough that some
// windows are undisturbed.
struct Budget {
  double warm_up = 0.1;
  double measured = 0.3;
};

// All threads of a team work in the same windows, each on its own data. One thread may run
// anywhere; several are each bound to a processor of `cpus`. `work_of(k)` is called in thread k, so
// that the memory it touches first is near that thread.
Rate rate_of(const std::vector<int>& cpus, const std::function<Work(std::size_t)>& work_of,
             const Budget& budget);

}  // namespace nbody::machine
