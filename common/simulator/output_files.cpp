#include "simulator/output_files.hpp"

#include <fmt/format.h>

#include <system_error>

#include "core/input_error.hpp"
#include "core/text_file.hpp"

namespace nbody {

void refuse_unwritable(const std::string& option, const std::filesystem::path& file) {
  std::error_code ignored;  // demand_writable() says what is wrong
  // Not those above it: a mistyped path makes no tree.
  std::filesystem::create_directory(file.parent_path(), ignored);
  try {
    demand_writable(file);
  } catch (const InputError& error) {
    throw InputError(option + ": " + error.what());
  }
}

RunLog::RunLog(std::filesystem::path file) : file_(std::move(file)), stream_(file_) {
  write(
      "iteration,time,dt,energy,momentum_x,momentum_y,momentum_z,angular_momentum_x,"
      "angular_momentum_y,angular_momentum_z,smallest_distance,force_evaluations,wall_s\n");
}

void RunLog::add(const LogRow& row) {
  const auto& [energy, p, l] = row.conserved;
  const bool pairs_visited = row.smallest_distance.has_value();
  write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.6g}\n", row.iteration, row.time, row.dt,
                    pairs_visited ? fmt::format("{}", energy) : "", p.x, p.y, p.z, l.x, l.y, l.z,
                    pairs_visited ? fmt::format("{}", *row.smallest_distance) : "", row.evaluations,
                    row.wall_s));
}

void RunLog::write(const std::string& line) {
  stream_ << line << std::flush;
  if (stream_) {
    whole_ += line.size();
    return;
  }
  stream_.close();
  std::error_code ignored;
  std::filesystem::resize_file(file_, whole_, ignored);
  throw InputError(fmt::format(
      "{}: cannot be written (disk full?): make room; the file ends with its last whole row",
      file_.string()));
}

}  // namespace nbody
