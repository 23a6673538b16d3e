#pragma once

#include <functional>
#include <vector>

namespace nbody {

// How long something is measured.
struct Effort {
  double warm_up_s = 0.3;  // warm-up in which an idle GPU raises its clock
  double least_s = 0.02;   // of each repeat
  int repeats = 15;
};

// `seconds_of(times)` does the same work `times` times and returns how long that took. Called with
// growing `times` until warm and long enough; then returns, for each repeat, how often per second.
std::vector<double> steady_rates(const std::function<double(unsigned)>& seconds_of,
                                 const Effort& effort);

}  // namespace nbody
