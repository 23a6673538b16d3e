#pragma once

#include <chrono>

namespace nbody::machine {

// Of a clock that never jumps: for differences.
inline double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace nbody::machine
