#include "cuda/profile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command_line/table.hpp"

namespace nbody {

void add_call(std::vector<ProfileRow>& rows, const std::string& name, double seconds,
              std::size_t bytes) {
  auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == name; });
  if (row == rows.end()) row = rows.insert(rows.end(), {name, 0, 0, seconds, seconds, 0});
  ++row->calls;
  row->total_s += seconds;
  row->shortest_s = std::min(row->shortest_s, seconds);
  row->longest_s = std::max(row->longest_s, seconds);
  row->bytes += bytes;
}

std::string profile_text(const std::vector<ProfileRow>& rows, double wall_s) {
  std::vector<ProfileRow> sorted = rows;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.total_s > b.total_s; });
  command_line::Table table(
      {"what", ">calls", ">ms in all", ">share", ">us each", ">shortest", ">longest", ">GB/s"});
  double explained = 0;
  const auto share = [&](double seconds) {
    return fmt::format("{:.2f} %", 100 * seconds / wall_s);
  };
  for (const ProfileRow& row : sorted) {
    explained += row.total_s;
    const double rate = static_cast<double>(row.bytes) / row.total_s / 1e9;
    table.add_row({row.name, std::to_string(row.calls), fmt::format("{:.3f}", row.total_s * 1e3),
                   share(row.total_s),
                   fmt::format("{:.2f}", row.total_s * 1e6 / static_cast<double>(row.calls)),
                   fmt::format("{:.2f}", row.shortest_s * 1e6),
                   fmt::format("{:.2f}", row.longest_s * 1e6),
                   row.bytes > 0 ? fmt::format("{:.2f}", rate) : ""});
  }
  table.add_line();
  const double rest = std::max(0.0, wall_s - explained);
  table.add_row({"the rest: host code, launches", "", fmt::format("{:.3f}", rest * 1e3),
                 share(rest), "", "", "", ""});
  table.add_row(
      {"wall clock", "", fmt::format("{:.3f}", wall_s * 1e3), share(wall_s), "", "", "", ""});
  return table.text() +
         "  kernels and copies are timed by GPU events around each, which add some\n"
         "  microseconds; allocations by the host's clock\n";
}

}  // namespace nbody
