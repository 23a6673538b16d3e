#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "core/conserved.hpp"

namespace nbody {

// Throws InputError, naming the option, if `file` cannot be written: before hours of computing, not
// after. Creates the file's folder and nothing else.
void refuse_unwritable(const std::string& option, const std::filesystem::path& file);

// A row of --log.
struct LogRow {
  std::uint64_t iteration = 0;
  double time = 0;  // simulated time, s
  double dt = 0;    // mean step since the previous row, s
  Conserved conserved;
  std::uint64_t evaluations = 0;  // of the forces, so far
  double wall_s = 0;              // spent advancing, so far
  // Between two bodies, m. It visits all pairs, as the energy does: both cells are empty without
  // it.
  std::optional<double> smallest_distance = {};
};

// A CSV file that grows row by row and is valid after each: docs/file_formats.md.
class RunLog {
 public:
  explicit RunLog(std::filesystem::path file);
  void add(const LogRow& row);  // throws InputError when the disk is full

 private:
  void write(const std::string& line);
  std::filesystem::path file_;
  std::ofstream stream_;
  std::uintmax_t whole_ = 0;  // bytes
};

}  // namespace nbody
