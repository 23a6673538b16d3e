#include "bench/step_time.hpp"

#include <algorithm>
#include <cmath>

namespace nbody::bench {

StepTime step_time(std::array<TimedSteps, 3> requests) {
  std::sort(requests.begin(), requests.end(), shorter);
  const auto x = [&](std::size_t k) { return static_cast<double>(requests[k].steps); };
  const auto t = [&](std::size_t k) { return requests[k].seconds; };
  const double x_mean = (x(0) + x(1) + x(2)) / 3, t_mean = (t(0) + t(1) + t(2)) / 3;
  double products = 0, squares = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    products += (x(k) - x_mean) * (t(k) - t_mean);
    squares += (x(k) - x_mean) * (x(k) - x_mean);
  }
  const double slope = products / squares, longest = std::max({t(0), t(1), t(2)});
  const double through_ends = t(0) + (t(2) - t(0)) * (x(1) - x(0)) / (x(2) - x(0));
  return {slope, t_mean - slope * (x_mean + 1), longest, t(1) - through_ends};
}

double step_seconds(const StepTime& time, const TimedSteps& longest) {
  const double by_one_clock = longest.seconds / static_cast<double>(longest.steps + 1);
  return std::max(time.seconds, (1 - most_start) * by_one_clock);
}

bool disturbed(const StepTime& time) {
  const auto small = [&](double s) { return std::abs(s) <= most_disturbed * time.longest; };
  return !(time.seconds > 0 && small(time.start) && small(time.bend));
}

}  // namespace nbody::bench
