#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nbody {

// The table of ./lab profile part3: a row for each kernel, and for copies and allocations.
struct ProfileRow {
  std::string name;
  std::uint64_t calls = 0;
  double total_s = 0, shortest_s = 0, longest_s = 0;
  std::size_t bytes = 0;  // bytes copied in all; 0: no copy
};

// Adds one call to the row of that name, creating it if needed.
void add_call(std::vector<ProfileRow>& rows, const std::string& name, double seconds,
              std::size_t bytes);

// Shares of `wall_s`; the last row is the remainder.
std::string profile_text(const std::vector<ProfileRow>& rows, double wall_s);

}  // namespace nbody
