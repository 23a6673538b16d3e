#include "cuda/ceiling_row.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command_line/table.hpp"
#include "cuda/device_facts.hpp"
#include "machine/core_clock.hpp"

namespace nbody {
namespace {

// Smaller differences do not count.
constexpr double a_tenth = 0.1;

// The right one is farther away than the left one: its data passes, or could pass, through the left
// one.
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

// "65.10 Tflop/s"
std::string rate_text(double rate, const std::string& unit) {
  if (rate == 0) return "";
  if (unit == "flop/s") return fmt::format("{:.2f} Tflop/s", rate / 1e12);
  if (unit == "byte/s") return fmt::format("{:.1f} GB/s", rate / 1e9);
  return fmt::format("{:.1f} x 10^9/s", rate / 1e9);
}

// 0 if the clock implies no peak.
double by_clock(const CeilingRow& row, const DeviceFacts& device) {
  if (row.level == "device memory") return memory_peak(device);
  if (row.kind != "flops") return 0;
  return row.precision == "float" ? float_peak(device) : double_peak(device);
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

std::string ceilings_text(const std::vector<CeilingRow>& rows, const DeviceFacts& device) {
  command_line::Table table({"measured", ">best", ">spread", ">by its clock"});
  std::string refused;
  for (const CeilingRow& row : rows) {
    table.add_row({row.name, rate_text(row.best, row.unit),
                   fmt::format("{:.1f} %", 100 * row.spread),
                   rate_text(by_clock(row, device), row.unit)});
    if (!row.is_ceiling)
      refused += command_line::paragraph("no ceiling: " + row.name + ". " + row.why_not, 2, 4);
  }
  return "\n" + table.text() + refused;
}

}  // namespace nbody
