#pragma once

#include <algorithm>
#include <functional>
#include <vector>

namespace nbody {

// How long something is measured.
struct Effort {
  double warm_up_s = 0.3;  // in which an idle GPU raises its clock
  double least_s = 0.02;   // of each repeat
  int repeats = 15;
};

// `seconds_of(times)` does the same work `times` times and returns how long that took. Called with
// growing `times` until warm and long enough; then returns, for each repeat, how often per second.
inline std::vector<double> steady_rates(const std::function<double(unsigned)>& seconds_of,
                                        const Effort& effort) {
  unsigned times = 1;
  double seconds = seconds_of(times), warm_s = seconds;
  while (warm_s < effort.warm_up_s || seconds < effort.least_s) {
    // 1.5 times the minimum, since the clock may still rise; at most eightfold per attempt, since
    // the first run is the slowest.
    const double factor = std::clamp(1.5 * effort.least_s / seconds, 1.0, 8.0);
    if (seconds < effort.least_s) times = static_cast<unsigned>(std::min(times * factor + 1, 4e9));
    seconds = seconds_of(times);
    warm_s += seconds;
  }
  std::vector<double> rates;
  for (int k = 0; k < effort.repeats; ++k) rates.push_back(times / seconds_of(times));
  return rates;
}

}  // namespace nbody
