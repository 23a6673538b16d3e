#include "machine/clock.hpp"

#include <time.h>

#include <algorithm>

#include "machine/crowd.hpp"

namespace nbody::machine {

Measured measured_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const double median = (values[(n - 1) / 2] + values[n / 2]) / 2;
  const double middle_half = values[n - 1 - n / 4] - values[n / 4];
  return {median, median > 0 ? middle_half / median : 0};
}

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
