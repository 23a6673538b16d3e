#pragma once

#include <functional>
#include <vector>

namespace nbody {

// Of repeated measurements of one thing; spread: the width of their middle half, as part of the
// median.
struct Measured {
  double median = 0;
  double spread = 0;
};
Measured measured_of(std::vector<double> values);  // at least one value

// Seconds that this thread has computed. Time in which another program had the core is not in it.
double thread_seconds();

// Seconds of one cycle of the core, now.
//
// The time stamp counter would not do: it ticks at a rate of its own, while the core goes faster
// and slower as heat and load allow. A chain of additions of integers takes one cycle each on every
// processor that this lab may meet, so that it is a clock of the core itself.
double cycle_seconds();

// Seconds, and cycles of the core, that `work` takes; called `rounds` times after one that is not
// counted. Each round looks at the clock before and after, since it may change between them.
struct Cost {
  Measured seconds;
  Measured cycles;
};
Cost cost_of(const std::function<void()>& work, int rounds);

}  // namespace nbody
