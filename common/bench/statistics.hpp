#pragma once

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

Statistics statistics_of(std::vector<double> values);  // at least one value

}  // namespace nbody::bench
