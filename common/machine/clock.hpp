#pragma once

#include <chrono>

namespace nbody::machine {

// Of a clock that never jumps: for differences.
inline double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// CPU seconds of this thread, without the time in which another program had the core.
double thread_seconds();

// Seconds of one cycle of the core, now.
//
// The time stamp counter would not do: it ticks at its own rate, while the core's clock varies with
// heat and load. In a chain of integer additions each takes one cycle on every processor that this
// lab may run on, so it shows the core's own clock.
double cycle_seconds();

}  // namespace nbody::machine
