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
  const auto put = [&](const auto& number_of) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto number = static_cast<float>(number_of(i));
      file_.write(reinterpret_cast<const char*>(&number), sizeof number);
    }
  };
  const Vectors<double>& a = accelerations;
  // In kg, the mass of a galaxy is no float.
  const double heaviest = *std::max_element(bodies.mass.begin(), bodies.mass.end());
  put([&](std::size_t i) { return bodies.mass[i] / heaviest; });
  for (const auto* q : {&bodies.qx, &bodies.qy, &bodies.qz}) {
    put([&](std::size_t i) { return (*q)[i]; });
  }
  put([&](std::size_t i) { return std::hypot(bodies.vx[i], bodies.vy[i], bodies.vz[i]); });
  put([&](std::size_t i) { return std::hypot(a.x[i], a.y[i], a.z[i]); });
  file_.flush();
}

}  // namespace nbody
