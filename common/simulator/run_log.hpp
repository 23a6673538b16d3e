#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "bodies/scene.hpp"
#include "physics/conserved.hpp"

namespace nbody {

// What --log keeps of an iteration.
struct LogRow {
  std::uint64_t iteration = 0;
  double time = 0;  // simulated, of the scene's own clock, s
  double dt = 0;    // the mean step since the row before, s
  Conserved kept;
  double smallest_distance = 0;   // between two bodies, m
  std::uint64_t evaluations = 0;  // of the forces, so far
  double wall_s = 0;              // spent advancing, so far
};

// The distance of the two bodies that are closest, m; infinity for a single one.
double smallest_distance(const Bodies<double>& bodies);

// A CSV file that grows by a row at a time and is whole after each: docs/file_formats.md.
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
