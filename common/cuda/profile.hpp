#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nbody {

// The table of ./lab profile part3: a row for each kernel, and for copies and allocations.
class Profile {
 public:
  // One call; `bytes` that it copied, 0: no copy.
  void add(const char* name, double seconds, std::size_t bytes);
  // Longest first, with shares of `wall_s`; the last rows are the remainder and the sum.
  std::string text(double wall_s) const;

 private:
  struct Row {
    std::string name;
    std::size_t calls = 0;
    double total_s = 0, shortest_s = 1e99, longest_s = 0;
    std::size_t bytes = 0;
  };
  std::vector<Row> rows_;
};

}  // namespace nbody
