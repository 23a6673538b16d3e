#pragma once

#include <vector>

namespace nbody {

// Of repeated measurements of one thing.
struct Statistics {
  double median = 0, minimum = 0, maximum = 0;
  // (maximum - minimum) / median: how far a single measurement can be trusted.
  double spread() const { return median > 0 ? (maximum - minimum) / median : 0; }
};

Statistics statistics_of(std::vector<double> values);  // at least one value

}  // namespace nbody
