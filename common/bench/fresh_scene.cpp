#include "bench/fresh_scene.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/random.hpp"
#include "core/reference.hpp"
#include "core/scenes.hpp"

namespace nbody::bench {
namespace {

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

Scene fresh_scene(const std::string& name, std::size_t n, std::uint64_t seed) {
  Scene scene = make_scene(name, n, seed);
  scene.setting.integrator.clear();  // the timed steps are Eq. 4 and 5
  return scene;
}

std::uint64_t seed_or_random(std::uint64_t seed) {
  if (seed != 0) return seed;
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

std::vector<std::size_t> sampled_rows(std::size_t n, std::size_t most, Random& random) {
  std::vector<std::size_t> rows(std::min(n, most));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (n > most) {
    for (std::size_t& row : rows) row = random.bits() % n;
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  return rows;
}

double time_to_follow(const Scene& scene) {
  constexpr std::size_t most = 64;
  const Bodies<double>& b = scene.bodies;
  const std::size_t n = b.size();
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < std::min(n, most); ++k) rows.push_back(k * n / std::min(n, most));
  const auto pulls = reference_accelerations(b, scene.setting.G, scene.setting.softening, rows);
  const double x = mean(b.qx), y = mean(b.qy), z = mean(b.qz);
  std::vector<double> times;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t i = rows[k];
    const Vectors<double>& a = pulls.acceleration;
    const double pull = std::hypot(a.x[k], a.y[k], a.z[k]);
    const double r = std::hypot(b.qx[i] - x, b.qy[i] - y, b.qz[i] - z);
    if (pull > 0 && r > 0) times.push_back(std::sqrt(r / pull));
  }
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  return times[times.size() / 4] / 2;
}

}  // namespace nbody::bench
