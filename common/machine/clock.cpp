#include "machine/clock.hpp"

#include <time.h>

#include "machine/crowd.hpp"

namespace nbody::machine {

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double cycle_seconds() {
  constexpr int chain_length = 100000;
  // The step is in a register: some processors add small constants in zero cycles.
  unsigned long sum = 0, step = 1;
  keep_integer(step);
  const double start = thread_seconds();
  for (int i = 0; i < chain_length; i += 8) {
    for (int k = 0; k < 8; ++k) {
      sum += step;
      keep_integer(sum);
    }
  }
  return (thread_seconds() - start) / chain_length;
}

}  // namespace nbody::machine
