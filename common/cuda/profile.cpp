#include "cuda/profile.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nbody {

void Profile::add(const char* name, double seconds, std::size_t bytes) {
  auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.name == name; });
  if (row == rows_.end()) row = rows_.insert(rows_.end(), Row{name});
  ++row->calls;
  row->total_s += seconds;
  row->shortest_s = std::min(row->shortest_s, seconds);
  row->longest_s = std::max(row->longest_s, seconds);
  row->bytes += bytes;
}

std::string Profile::text(double wall_s) const {
  std::vector<Row> sorted = rows_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Row& a, const Row& b) { return a.total_s > b.total_s; });
  std::string text =
      fmt::format("  {:<30} {:>7} {:>10} {:>8} {:>10} {:>10} {:>10} {:>6}\n", "what", "calls",
                  "ms in all", "share", "us each", "shortest", "longest", "GB/s");
  double explained = 0;
  for (const Row& row : sorted) {
    explained += row.total_s;
    text += fmt::format("  {:<30} {:>7} {:>10.3f} {:>6.2f} % {:>10.2f} {:>10.2f} {:>10.2f}",
                        row.name, row.calls, row.total_s * 1e3, 100 * row.total_s / wall_s,
                        row.total_s * 1e6 / double(row.calls), row.shortest_s * 1e6,
                        row.longest_s * 1e6);
    text +=
        row.bytes > 0 ? fmt::format(" {:>6.2f}\n", double(row.bytes) / row.total_s / 1e9) : "\n";
  }
  const auto sum = [&](const char* what, double seconds) {
    text +=
        fmt::format("  {:<38} {:>10.3f} {:>6.2f} %\n", what, seconds * 1e3, 100 * seconds / wall_s);
  };
  sum("the rest: host code, launches", std::max(0.0, wall_s - explained));
  sum("wall clock", wall_s);
  return text +
         "  kernels and copies are timed by GPU events around each, which add some\n"
         "  microseconds; allocations by the host's clock\n";
}

}  // namespace nbody
