#include "cuda/steady_rates.hpp"

#include <algorithm>

namespace nbody {
namespace {

// 1.5 times the minimum, since the clock may still rise; at most eightfold per attempt, since the
// first run is the slowest.
unsigned larger(unsigned times, double seconds, double least_s) {
  const double factor = std::clamp(1.5 * least_s / seconds, 1.0, 8.0);
  return static_cast<unsigned>(std::min(times * factor + 1, 4e9));
}

}  // namespace

std::vector<double> steady_rates(const std::function<double(unsigned)>& seconds_of,
                                 const Effort& effort) {
  unsigned times = 1;
  double warm_s = 0, seconds = 0;
  while (warm_s < effort.warm_up_s || seconds < effort.least_s) {
    if (warm_s > 0 && seconds < effort.least_s) times = larger(times, seconds, effort.least_s);
    seconds = seconds_of(times);
    warm_s += seconds;
  }
  std::vector<double> rates;
  for (int repeat = 0; repeat < effort.repeats; ++repeat)
    rates.push_back(times / seconds_of(times));
  return rates;
}

}  // namespace nbody
