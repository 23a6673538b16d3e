#include <cmath>

#include "core/random.hpp"
#include "core/scenes.hpp"

namespace nbody {
namespace {

constexpr double core_mass = 1;
constexpr double light_mass = 0.01;  // all light bodies of a galaxy together: the centres dominate
constexpr double disk_start = 0.2, disk_end = 0.75, disk_half_height = 0.01;
constexpr double softening = 0.1;
constexpr double closest = 1;         // closest distance of the centres
constexpr double start_distance = 4;  // of the centres
constexpr double tilt_cosine[] = {1, 0.6}, tilt_sine[] = {0, 0.8};  // of the two disks

struct Centre {
  double x, y, vx, vy;
};

// On a parabola about the other galaxy, a time 3.4 before they are closest; their total mass is
// 2.02. Each covers half the distance between them.
Centre centre_of(std::size_t galaxy) {
  const double side = galaxy == 0 ? 0.5 : -0.5;
  const double cosine = 2 * closest / start_distance - 1;  // of the angle to the closest point
  const double sine = -std::sqrt(1 - cosine * cosine);
  const double speed = std::sqrt((core_mass + light_mass) / closest);
  return {side * start_distance * cosine, side * start_distance * sine, -side * speed * sine,
          side * speed * (1 + cosine)};
}

// On a circular orbit around the softened centre and the disk's mass inside it.
void place_in_disk(Bodies<double>& bodies, std::size_t i, Random& random) {
  const double share = random.uniform();  // of the disk that is nearer to the centre
  const double inner2 = disk_start * disk_start, outer2 = disk_end * disk_end;
  const double r2 = inner2 + (outer2 - inner2) * share;
  const double softened2 = r2 + softening * softening;
  const double mass = core_mass + light_mass * share;
  const double v = std::sqrt(mass * r2 / (softened2 * std::sqrt(softened2)));
  const Direction outwards = random_direction(random, /*in_plane=*/true);
  bodies.qx[i] = std::sqrt(r2) * outwards.x;
  bodies.qy[i] = std::sqrt(r2) * outwards.y;
  bodies.qz[i] = random.uniform(-1, 1) * disk_half_height;
  bodies.vx[i] = -v * outwards.y;
  bodies.vy[i] = v * outwards.x;
}

// About the x axis.
void tilt(double& y, double& z, std::size_t galaxy) {
  const double old_y = y;
  y = tilt_cosine[galaxy] * old_y - tilt_sine[galaxy] * z;
  z = tilt_sine[galaxy] * old_y + tilt_cosine[galaxy] * z;
}

// The bodies from first to last - 1; the first is the centre.
void make_galaxy(Bodies<double>& bodies, std::size_t galaxy, std::size_t first, std::size_t last,
                 Random& random) {
  const Centre centre = centre_of(galaxy);
  for (std::size_t i = first; i < last; ++i) {
    const bool light = i > first;
    bodies.mass[i] =
        light ? random.uniform(0.5, 1.5) * light_mass / static_cast<double>(last - first - 1)
              : core_mass;
    bodies.radius[i] = light ? 0.005 : 0.05;
    if (light) place_in_disk(bodies, i, random);
    tilt(bodies.qy[i], bodies.qz[i], galaxy);
    tilt(bodies.vy[i], bodies.vz[i], galaxy);
    bodies.qx[i] += centre.x;
    bodies.qy[i] += centre.y;
    bodies.vx[i] += centre.vx;
    bodies.vy[i] += centre.vy;
  }
}

}  // namespace

// As in Toomre and Toomre (1972), Astrophysical Journal 178, 623: the tides of a close passage draw
// bridges and tails out of disks of light bodies. The first half of the bodies is one galaxy, in
// the plane of the passage, the second half the other, tilted by 53 degrees; both turn as they
// pass. 500 steps lead to time 10, where the tails are longest. The inner edge turns by 0.18 per
// step; leapfrog keeps that on a circle, Eq. 4 and 5 do not, so the scene names its scheme.
Scene collision_scene(const SceneParameters& parameters) {
  Random random(parameters.seed);
  Scene scene;
  scene.setting = {.G = 1, .softening = softening, .dt = 0.02, .dt_floor = 1e-4};
  scene.setting.integrator = "kdk";
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(parameters.n);
  const std::size_t half = (parameters.n + 1) / 2;
  make_galaxy(bodies, 0, 0, half, random);
  make_galaxy(bodies, 1, half, parameters.n, random);
  for (auto* column : {&bodies.qx, &bodies.qy, &bodies.qz, &bodies.vx, &bodies.vy, &bodies.vz}) {
    remove_mean(bodies.mass, *column);
  }
  return scene;
}

}  // namespace nbody
