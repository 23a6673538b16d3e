#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "core/scenes.hpp"

namespace nbody {
namespace {

// From the model's scale length 1 to standard units, where the energy is -1/4.
constexpr double length_unit = 3 * std::numbers::pi / 16;
constexpr double farthest = 20;  // scale lengths; 0.4 % of the mass would lie beyond

// The distance within which a random share of the mass lies.
double random_distance(Random& random) {
  for (;;) {
    const double root = cube_root(1 - random.uniform());
    const double r2 = root * root / (1 - root * root);  // (share^(-2/3) - 1)^-1
    if (r2 <= farthest * farthest) return std::sqrt(r2);
  }
}

// Speed over escape speed: density q^2 (1 - q^2)^(7/2), which stays below 0.1.
double random_speed(Random& random) {
  for (;;) {
    const double q = random.uniform();
    const double rest = 1 - q * q;
    const double density = q * q * rest * rest * rest * std::sqrt(rest);
    if (0.1 * random.uniform() < density) return q;
  }
}

}  // namespace

// Plummer's sphere in equilibrium after Aarseth, Henon and Wielen (1974), Astronomy and
// Astrophysics 37, 183: total mass 1, energy -1/4, crossing time 2 sqrt(2).
Scene plummer_scene(const SceneParameters& parameters) {
  Random random(parameters.seed);
  Scene scene;
  scene.setting = {.G = 1, .softening = 0.01, .dt = 1e-3, .dt_floor = 1e-5};
  const double velocity_unit = 1 / std::sqrt(length_unit);
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(parameters.n);
  for (std::size_t i = 0; i < parameters.n; ++i) {
    bodies.mass[i] = 1 / static_cast<double>(parameters.n);
    bodies.radius[i] = 0.01;
    const double r = random_distance(random);
    const Direction outwards = random_direction(random, /*in_plane=*/false);
    bodies.qx[i] = length_unit * r * outwards.x;
    bodies.qy[i] = length_unit * r * outwards.y;
    bodies.qz[i] = length_unit * r * outwards.z;
    const double escape_speed = std::sqrt(2 / std::sqrt(1 + r * r));
    const double v = velocity_unit * escape_speed * random_speed(random);
    const Direction heading = random_direction(random, /*in_plane=*/false);
    bodies.vx[i] = v * heading.x;
    bodies.vy[i] = v * heading.y;
    bodies.vz[i] = v * heading.z;
  }
  const std::vector<double> equal(parameters.n, 1);  // exact, unlike the masses
  for (auto* column : {&bodies.qx, &bodies.qy, &bodies.qz, &bodies.vx, &bodies.vy, &bodies.vz}) {
    remove_mean(equal, *column);
  }
  return scene;
}

}  // namespace nbody
