#include "simulator/output_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <limits>
#include <system_error>

#include "bodies/input_error.hpp"

namespace nbody {

namespace fs = std::filesystem;

void refuse_unwritable(const std::string& option, const fs::path& file) {
  const auto refuse = [&](const std::error_code& why) {
    throw InputError(fmt::format("{}: {} cannot be written ({}): choose another place", option,
                                 file.string(), why.message()));
  };
  std::error_code error;
  const fs::path folder = file.parent_path();
  if (!folder.empty() && fs::status(folder, error).type() == fs::file_type::not_found) {
    // The folder of a run's output files is created, but not those above it.
    const bool creates = option != "--json";
    const fs::path above = creates ? folder.parent_path() : folder;
    if (!creates || (!above.empty() && !fs::exists(above, error))) {
      throw InputError(
          fmt::format("{}: {} cannot be written (no folder {}): create it or choose another place",
                      option, file.string(), above.string()));
    }
    fs::create_directory(folder, error);
    if (error) refuse(error);
  }
  if (fs::is_directory(file, error)) refuse(std::make_error_code(std::errc::is_a_directory));
  // A device or a pipe already exists.
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) return;

  // Files are written under another name and renamed, so the folder must be writable, not the file.
  const fs::path probe = fmt::format("{}.{}.tmp", file.string(), ::getpid());
  std::FILE* const opened = std::fopen(probe.c_str(), "wb");
  if (opened == nullptr) refuse(std::error_code(errno, std::generic_category()));
  std::fclose(opened);
  fs::remove(probe, error);
}

double smallest_distance(const Bodies<double>& b) {
  double smallest2 = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double dx = b.qx[j] - b.qx[i], dy = b.qy[j] - b.qy[i], dz = b.qz[j] - b.qz[i];
      smallest2 = std::min(smallest2, dx * dx + dy * dy + dz * dz);
    }
  }
  return std::sqrt(smallest2);
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
