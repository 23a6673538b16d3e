#pragma once

#include <functional>
#include <optional>
#include <string>

#include "worksheet/line.hpp"
#include "worksheet/true_counts.hpp"

namespace nbody {

// What the answers are judged with.
struct WorksheetTruth {
  // Counts of an implementation by name; nothing if it is not or cannot be counted.
  std::function<std::optional<TrueCounts>(const std::string&)> counts_of;
  // The same of largest_time_step(); part 3 asks for it.
  std::function<std::optional<TrueCounts>(const std::string&)> time_step_counts_of;
  int notebook_rows = 0;  // with an expectation and a measurement
  Disclosure disclosure = Disclosure::total;
};

// Why counts of an implementation are not shown yet; empty if they may be. `counted_right`: the
// naive's were found by hand. Code that still does the naive's work shows them, too.
std::string reason_to_hide(const std::string& name, bool counted_right, const WorksheetTruth& truth,
                           const std::string& once);

}  // namespace nbody
