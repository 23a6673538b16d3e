#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "core/scenes.hpp"

namespace nbody {
namespace {

constexpr double centre_mass = 2e24;              // kg
constexpr double disk_mass = 0.02 * centre_mass;  // all light bodies together
constexpr double inner_radius = 2e8;              // m
constexpr double outer_radius = 1e9;              // m
constexpr double half_thickness = 0.01 * outer_radius;
constexpr double density = 5000;  // kg/m^3, of rock

double radius_of(double mass) { return cube_root(mass * 3 / (4 * std::numbers::pi * density)); }

}  // namespace

void remove_mean(const std::vector<double>& mass, std::vector<double>& column) {
  double total = 0, sum = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    total += mass[i];
    sum += mass[i] * column[i];
  }
  for (double& value : column) value -= sum / total;
}

// Body 0 is the centre. The others lie evenly over the distances of the disk, so the disk's mass
// within r grows linearly with r. Time step: the Euler rule raises v^2 by (omega dt)^2 in every
// step, 5e-5 at the inner edge, so some hundred steps change the orbits by a few percent. The
// random disk has some momentum; it is removed, or the galaxy would drift out of every picture.
Scene galaxy_scene(const SceneParameters& parameters) {
  Random random(parameters.seed);
  Scene scene;
  scene.setting.dt = 1800;
  scene.setting.softening = 5e6;  // less than the mean distance of neighbours up to N = 40000
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(parameters.n);
  bodies.mass[0] = centre_mass;
  bodies.radius[0] = radius_of(centre_mass);
  for (std::size_t i = 1; i < parameters.n; ++i) {
    bodies.mass[i] = random.uniform(0.5, 1.5) * disk_mass / static_cast<double>(parameters.n - 1);
    bodies.radius[i] = radius_of(bodies.mass[i]);
    const double share = random.uniform();  // of the disk that is nearer to the centre
    const double r = inner_radius + (outer_radius - inner_radius) * share;
    const double v = std::sqrt(scene.setting.G * (centre_mass + disk_mass * share) / r);
    const Direction outwards = random_direction(random, /*in_plane=*/true);
    bodies.qx[i] = r * outwards.x;
    bodies.qy[i] = r * outwards.y;
    bodies.qz[i] = random.uniform(-1, 1) * half_thickness;
    bodies.vx[i] = -v * outwards.y;
    bodies.vy[i] = v * outwards.x;
  }
  for (auto* velocity : {&bodies.vx, &bodies.vy}) remove_mean(bodies.mass, *velocity);
  return scene;
}

}  // namespace nbody
