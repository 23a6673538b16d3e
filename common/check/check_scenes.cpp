#include "check/check_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "check/case.hpp"
#include "check/error_measure.hpp"
#include "core/conserved.hpp"
#include "core/random.hpp"
#include "core/scenes.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

// A body stays within 20 % of its cell's centre, so two are never closer than 60 % of a cell.
constexpr double jitter = 0.2;

// 0, 1, ... in random order.
std::vector<std::size_t> shuffled(std::size_t n, Random& random) {
  std::vector<std::size_t> list = all_rows(n);
  for (std::size_t k = n - 1; k > 0; --k) std::swap(list[k], list[random.bits() % (k + 1)]);
  return list;
}

// Bodies of mass 1 on cells of size 1, one in each, in random order, velocities within 1 per axis.
// In two dimensions: in one of the planes x = 0, y = 0 or z = 0. In one: on the x axis.
Bodies<double> jittered_lattice(std::size_t n, Random& random, int dimensions) {
  const bool line = dimensions == 1, flat = dimensions == 2;
  const auto cells_of = [&](std::size_t side) {
    return line ? side : flat ? side * side : side * side * side;
  };
  std::size_t side = 1;
  while (cells_of(side) < n) ++side;
  const std::vector<std::size_t> cells = shuffled(cells_of(side), random);
  const auto place = [&](std::size_t cell) {
    const double middle = (static_cast<double>(side) - 1) / 2;
    return static_cast<double>(cell) - middle + random.uniform(-jitter, jitter);
  };
  Bodies<double> b;
  b.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    b.mass[i] = 1;
    b.qx[i] = place(cells[i] % side);
    b.qy[i] = line ? 0 : place(cells[i] / side % side);
    b.qz[i] = line || flat ? 0 : place(cells[i] / side / side);
    b.vx[i] = random.uniform(-1, 1);
    b.vy[i] = line ? 0 : random.uniform(-1, 1);
    b.vz[i] = line || flat ? 0 : random.uniform(-1, 1);
  }
  const std::uint64_t axis = random.bits() % 3;
  if (flat && axis < 2) {
    std::swap(axis == 0 ? b.qx : b.qy, b.qz);
    std::swap(axis == 0 ? b.vx : b.vy, b.vz);
  }
  return b;
}

// A Pareto law: most masses near 1, one in ten thousand near 100. With a heavier tail and the
// giant, plain float sums exceed the tolerance: 1.7e-5 with the exponent 1.2 at N = 4099. The giant
// is ten times the sum of the others; above a thousand bodies a twentieth of it. A sum that starts
// with its pull rounds thousands of tiny ones to its last bit: at N = 4099 an honest float sum errs
// by 2.7e-5 with the factor 10 and 6e-6 with 0.5 (worst of 20 seeds).
void give_heavy_tail(std::vector<double>& masses, Random& random) {
  const std::size_t n = masses.size();
  for (double& mass : masses) mass = std::min(100.0, 1 / std::sqrt(1 - random.uniform()));
  const std::size_t places[] = {n - 1, std::min(n / 64 * 64, n - 1), random.bits() % n};
  double& giant = masses[places[random.bits() % 3]];
  giant = 0;
  const double others = std::accumulate(masses.begin(), masses.end(), 0.0);
  giant = others > 0 ? (n > 1021 ? 0.05 : 10) * others : 1;
}

// The three unit systems in turn: the handout's (SI, no softening), G = 1 with softening, and a
// tiny system with another G. `cell` and `mass` scale the unit lattice.
struct World {
  double G, mass, cell, softening;
};
constexpr World worlds[] = {
    {6.67384e-11, 3e21, 1.5e8, 0}, {1, 0.75, 0.5, 0.2}, {0.03, 2e-5, 4e-3, 0}};

}  // namespace

Scene make_check_scene(CheckScene kind, std::size_t n, std::uint64_t seed) {
  if (kind == CheckScene::star_cluster) return make_scene("plummer", n, seed);
  Random random(seed * 1000003 + n * 3 + static_cast<std::uint64_t>(kind));
  const World& world = worlds[seed % 3];
  Scene scene;
  Bodies<double>& bodies = scene.bodies;
  bodies = jittered_lattice(n, random,
                            kind == CheckScene::line   ? 1
                            : kind == CheckScene::flat ? 2
                                                       : 3);
  if (kind == CheckScene::heavy_tail) give_heavy_tail(bodies.mass, random);

  // The time scale of a cell: a dt in which a neighbour's pull moves a body by 2 % of a cell, and
  // its speed by about a tenth. Smaller steps would hide a wrong Eq. 5.
  const double heaviest = *std::max_element(bodies.mass.begin(), bodies.mass.end());
  const double pull = world.G * world.mass * heaviest / (world.cell * world.cell);
  const double dt = rounded_to_float(std::sqrt(0.04 * world.cell / pull));
  scene.setting = {world.G, rounded_to_float(world.softening), dt, 0};
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass[i] *= world.mass;
    for (auto* q : {&bodies.qx, &bodies.qy, &bodies.qz}) (*q)[i] *= world.cell;
    for (auto* v : {&bodies.vx, &bodies.vy, &bodies.vz}) (*v)[i] *= 0.1 * world.cell / dt;
  }
  bodies = rounded_to_float(bodies);
  return scene;
}

void soften_encounters(Scene& scene) {
  if (scene.bodies.size() < 2) return;
  const double half = rounded_to_float(smallest_distance(scene.bodies) / 2);
  scene.setting.softening = std::max(scene.setting.softening, half);
}

std::size_t nearest_to(const Bodies<double>& b, std::size_t i) {
  std::size_t nearest = i;
  double smallest = infinity;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const double d = distance(b, i, j);
    if (j == i || d >= smallest) continue;
    smallest = d;
    nearest = j;
  }
  return nearest;
}

void put_flier(Scene& scene, std::size_t decides, std::size_t neighbour) {
  Bodies<double>& b = scene.bodies;
  double fastest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    fastest = std::max(fastest, length(b.vx[i], b.vy[i], b.vz[i]));
  }
  if (neighbour != decides && b.size() > 2) {
    const std::size_t nearest = nearest_to(b, decides);
    for (auto* column : b.columns()) std::swap((*column)[nearest], (*column)[neighbour]);
  }
  // Through the middle of the others.
  const double speed = 1000 * fastest, place = length(b.qx[decides], b.qy[decides], b.qz[decides]);
  const double towards = place > 0 ? -speed / place : 0;
  b.vx[decides] = rounded_to_float(place > 0 ? towards * b.qx[decides] : speed);
  b.vy[decides] = rounded_to_float(towards * b.qy[decides]);
  b.vz[decides] = rounded_to_float(towards * b.qz[decides]);
  b.mass[decides] = *std::min_element(b.mass.begin(), b.mass.end()) / 1024;
}

}  // namespace nbody::check
