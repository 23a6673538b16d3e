#include "simulator/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/input_error.hpp"
#include "simulator/ranks.hpp"

namespace nbody {
namespace {

std::vector<double> lengths(const Vectors<double>& v) {
  std::vector<double> result(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) result[i] = std::hypot(v.x[i], v.y[i], v.z[i]);
  return result;
}

void put(std::ostream& out, const std::vector<double>& column, double unit = 1) {
  for (const double value : column) {
    const auto number = static_cast<float>(value / unit);
    out.write(reinterpret_cast<const char*>(&number), sizeof number);
  }
}

}  // namespace

Frames::Frames() {
  const char* const path = std::getenv("LAB_FRAMES");
  if (path == nullptr || !is_rank_0()) return;
  // Without its reader, write() fails and the run ends in good order.
  std::signal(SIGPIPE, SIG_IGN);
  file_.open(path, std::ios::binary);
  if (!file_) throw InputError(fmt::format("{} (LAB_FRAMES) cannot be written", path));
}

void Frames::write(const Implementation& implementation, const Scene& scene, const RunSummary& now,
                   const Bodies<double>& bodies, const Vectors<double>& accelerations) {
  const double time = scene.time + now.simulated_s;
  const nlohmann::ordered_json header = {
      {"n", bodies.size()},
      {"part", implementation.part},
      {"name", implementation.name},
      {"precision", name_of(implementation.precision())},
      {"iteration", now.iterations},
      {"time", is_si(scene.setting) ? human_time(time) : fmt::format("t = {:.4g}", time)},
      {"energy_error", now.energy_known ? nlohmann::json(now.energy_error) : nullptr},
      {"evaluations", now.evaluations},
      {"wall_s", now.wall_s}};
  file_ << header.dump() << '\n';
  // In kg, the mass of a galaxy is no float.
  put(file_, bodies.mass, *std::max_element(bodies.mass.begin(), bodies.mass.end()));
  put(file_, bodies.qx);
  put(file_, bodies.qy);
  put(file_, bodies.qz);
  put(file_, lengths({bodies.vx, bodies.vy, bodies.vz}));
  put(file_, lengths(accelerations));
  file_.flush();
}

}  // namespace nbody
