#include "cuda/ceiling_row.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cuda/device_facts.hpp"
#include "machine/core_clock.hpp"

namespace nbody {
namespace {

// Smaller differences do not count.
constexpr double a_tenth = 0.1;

// The right one is behind the left one: its data passes, or could pass, through the left one.
constexpr const char* neighbours[][2] = {{"shared", "L2"},
                                         {"L2", "device memory"},
                                         {"device memory", "host to device, pinned"},
                                         {"device memory", "device to host, pinned"},
                                         {"host to device, pinned", "host to device, pageable"},
                                         {"device to host, pinned", "device to host, pageable"}};

// 0 where nothing was measured.
double fastest(const std::vector<CeilingRow>& rows, const std::string& level) {
  double best = 0;
  for (const CeilingRow& row : rows) {
    if (row.level == level) best = std::max(best, row.best);
  }
  return best;
}

// Only the first reason counts.
void refuse(CeilingRow& row, const std::string& why) {
  if (!row.is_ceiling) return;
  row.is_ceiling = false;
  row.why_not = why;
}

void judge_order(std::vector<CeilingRow>& rows) {
  for (const auto& [near, far] : neighbours) {
    if (!(fastest(rows, near) < (1 - a_tenth) * fastest(rows, far))) continue;
    for (CeilingRow& row : rows) {
      if (row.level == near) refuse(row, fmt::format("It came out slower than {}.", far));
    }
  }
}

}  // namespace

void set_rates(CeilingRow& row, const std::vector<double>& rates) {
  const machine::Measured measured = machine::measured_of(rates);
  row.best = *std::max_element(rates.begin(), rates.end());
  row.median = measured.median;
  row.spread = measured.spread;
}

void judge_ceilings(std::vector<CeilingRow>& rows, const DeviceFacts& device) {
  for (CeilingRow& row : rows) {
    // Written so that NaN is refused.
    if (!(row.spread <= a_tenth)) {
      refuse(row, fmt::format("The middle half of its repeats differs by {:.0f} %: measure again "
                              "when nothing else runs.",
                              100 * row.spread));
    }
    if (row.level == "device memory" && row.array_bytes < 4 * device.l2_bytes) {
      refuse(row, "The free memory has no room for an array four times as large as L2.");
    }
  }
  judge_order(rows);
}

}  // namespace nbody
