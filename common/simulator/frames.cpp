#include "simulator/frames.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>

#include "core/input_error.hpp"
#include "simulator/ranks.hpp"

namespace nbody {

Frames::Frames() {
  const char* const path = std::getenv("LAB_FRAMES");
  if (path == nullptr || !is_rank_0()) return;
  // Without its reader, write() fails and the run ends in good order.
  std::signal(SIGPIPE, SIG_IGN);
  file_.open(path, std::ios::binary);
  if (!file_) throw InputError(std::string(path) + " (LAB_FRAMES) cannot be written");
}

void Frames::write(const std::string& header, const Bodies<double>& b, const Vectors<double>& a) {
  file_ << header << '\n';
  const auto put = [&](const auto& number_of) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      const auto number = static_cast<float>(number_of(i));
      file_.write(reinterpret_cast<const char*>(&number), sizeof number);
    }
  };
  // In kg, the mass of a galaxy is no float.
  const double heaviest = *std::max_element(b.mass.begin(), b.mass.end());
  put([&](std::size_t i) { return b.mass[i] / heaviest; });
  for (const auto* q : {&b.qx, &b.qy, &b.qz}) put([&](std::size_t i) { return (*q)[i]; });
  put([&](std::size_t i) { return std::hypot(b.vx[i], b.vy[i], b.vz[i]); });
  put([&](std::size_t i) { return std::hypot(a.x[i], a.y[i], a.z[i]); });
  file_.flush();
}

}  // namespace nbody
