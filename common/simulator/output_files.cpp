#include "simulator/output_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "core/input_error.hpp"
#include "core/text_file.hpp"

namespace nbody {

namespace fs = std::filesystem;

void refuse_unwritable(const std::string& option, const fs::path& file) {
  const fs::path folder = file.parent_path();
  // The folder of a run's output files is created, but not those above it.
  if (option != "--json" && !folder.empty() && fs::exists(fs::absolute(folder).parent_path())) {
    std::error_code error;
    fs::create_directory(folder, error);
    if (error && !fs::exists(folder)) {
      throw InputError(fmt::format("{}: {}: cannot be written ({}): choose another place", option,
                                   file.string(), error.message()));
    }
  }
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
  const Vector &p = row.momentum, &l = row.angular_momentum;
  const auto if_known = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "";
  };
  write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.6g}\n", row.iteration, row.time, row.dt,
                    if_known(row.energy), p.x, p.y, p.z, l.x, l.y, l.z,
                    if_known(row.smallest_distance), row.evaluations, row.wall_s));
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
