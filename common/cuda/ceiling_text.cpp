#include <fmt/format.h>

#include "command_line/table.hpp"
#include "cuda/ceiling_row.hpp"
#include "cuda/device_facts.hpp"

namespace nbody {
namespace {

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
