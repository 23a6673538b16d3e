#pragma once

#include <functional>
#include <vector>

namespace nbody {

// How long something is measured.
struct Effort {
  double warm_up_s = 0.3;  // in which a GPU that has slept finds its clock
  double least_s = 0.02;   // of each repeat
  int repeats = 15;
};

// `seconds_of(times)` does the same work `times` times and says how long that took. As often as
// needed, and larger, until it is warm and long enough; then each repeat: how many times a second.
std::vector<double> steady_rates(const std::function<double(unsigned)>& seconds_of,
                                 const Effort& effort);

}  // namespace nbody
