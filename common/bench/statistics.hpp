#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nbody::bench {

// Repeated measurements of one quantity.
struct Statistics {
  double median = 0, minimum = 0, maximum = 0;
  double lower_quartile = 0, upper_quartile = 0;
  // Relative width of the middle half. On a shared machine the extremes say more about other
  // programs than about this one.
  double spread() const { return median > 0 ? (upper_quartile - lower_quartile) / median : 0; }
};

// Linear between the two nearest values.
inline double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// At least one value.
inline Statistics statistics_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), values.front(), values.back(), quantile(values, 0.25),
          quantile(values, 0.75)};
}

}  // namespace nbody::bench
