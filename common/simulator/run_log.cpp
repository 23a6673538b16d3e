#include "simulator/run_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bodies/input_error.hpp"

namespace nbody {

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
  const Vector &p = row.kept.momentum, &l = row.kept.angular_momentum;
  write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.6g}\n", row.iteration, row.time, row.dt,
                    row.kept.energy, p.x, p.y, p.z, l.x, l.y, l.z, row.smallest_distance,
                    row.evaluations, row.wall_s));
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
