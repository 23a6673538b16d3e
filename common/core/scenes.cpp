#include "core/scenes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>

#include "core/body_file.hpp"
#include "core/input_error.hpp"
#include "core/random.hpp"
#include "core/units.hpp"

// The generators. To give the same bits everywhere, they only use + - * / and sqrt.

namespace nbody {
namespace {

// Subtracts the mass-weighted means: the momentum becomes 0, and the centre of mass moves to 0.
void remove_means(const std::vector<double>& mass,
                  std::initializer_list<std::vector<double>*> columns) {
  for (auto* column : columns) {
    double total = 0, sum = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      total += mass[i];
      sum += mass[i] * (*column)[i];
    }
    for (double& value : *column) value -= sum / total;
  }
}

Scene random_scene(std::size_t n, std::uint64_t seed, double) {
  Random random(seed);
  Scene scene;
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass[i] = (1 - random.uniform()) * 5e21;  // never 0
    bodies.radius[i] = bodies.mass[i] * 0.5e-14;
    bodies.qx[i] = random.uniform(-1, 1) * 6.65e8;
    bodies.qy[i] = random.uniform(-1, 1) * 5e8;
    bodies.qz[i] = random.uniform(-1, 1) * 5e8 - 1e9;  // in front of a viewer at the origin
    for (auto* v : {&bodies.vx, &bodies.vy, &bodies.vz}) (*v)[i] = random.uniform(-1, 1) * 100;
  }
  return scene;
}

// Few bodies, strong pulls, close encounters: hard on the time step. More bodies, or a smaller
// cube, are harder still. The first bodies of a seed are the same whatever N is.
Scene six_scene(std::size_t n, std::uint64_t seed, double box) {
  Random random(seed);
  Scene scene;
  scene.setting = {.G = 1, .softening = 0, .dt = 1e-5, .dt_floor = 1e-8};
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass[i] = random.uniform(1, 10);
    bodies.radius[i] = bodies.mass[i] * 0.02;
    for (auto* q : {&bodies.qx, &bodies.qy, &bodies.qz}) (*q)[i] = random.uniform(-box, box);
    for (auto* v : {&bodies.vx, &bodies.vy, &bodies.vz}) (*v)[i] = random.uniform(-1, 1);
  }
  return scene;
}

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

// Plummer's sphere in equilibrium after Aarseth, Henon and Wielen (1974), Astronomy and
// Astrophysics 37, 183: total mass 1, energy -1/4, crossing time 2 sqrt(2).
Scene plummer_scene(std::size_t n, std::uint64_t seed, double) {
  Random random(seed);
  Scene scene;
  scene.setting = {.G = 1, .softening = 0.01, .dt = 1e-3, .dt_floor = 1e-5};
  const double velocity_unit = 1 / std::sqrt(length_unit);
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass[i] = 1 / static_cast<double>(n);
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
  const std::vector<double> equal(n, 1);  // exact, unlike the masses
  remove_means(equal, {&bodies.qx, &bodies.qy, &bodies.qz, &bodies.vx, &bodies.vy, &bodies.vz});
  return scene;
}

// Body i at distance r from the origin, on a circular orbit of speed v in the xy plane.
void put_in_disk(Bodies<double>& bodies, std::size_t i, double r, double v, double half_height,
                 Random& random) {
  const Direction outwards = random_direction(random, /*in_plane=*/true);
  bodies.qx[i] = r * outwards.x;
  bodies.qy[i] = r * outwards.y;
  bodies.qz[i] = random.uniform(-1, 1) * half_height;
  bodies.vx[i] = -v * outwards.y;
  bodies.vy[i] = v * outwards.x;
}

// Of a body of rock.
double radius_of(double mass) {
  constexpr double density = 5000;  // kg/m^3
  return cube_root(mass * 3 / (4 * std::numbers::pi * density));
}

// Body 0 is the centre. The others lie evenly over the distances of the disk, so the disk's mass
// within r grows linearly with r. Time step: the Euler rule raises v^2 by (omega dt)^2 in every
// step, 5e-5 at the inner edge, so some hundred steps change the orbits by a few percent. The
// random disk has some momentum; it is removed, or the galaxy would drift out of every picture.
Scene galaxy_scene(std::size_t n, std::uint64_t seed, double) {
  constexpr double centre_mass = 2e24;                      // kg
  constexpr double disk_mass = 0.02 * centre_mass;          // all light bodies together
  constexpr double inner_radius = 2e8, outer_radius = 1e9;  // m
  Random random(seed);
  Scene scene;
  scene.setting.dt = 1800;
  scene.setting.softening = 5e6;  // less than the mean distance of neighbours up to N = 40000
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(n);
  bodies.mass[0] = centre_mass;
  bodies.radius[0] = radius_of(centre_mass);
  for (std::size_t i = 1; i < n; ++i) {
    bodies.mass[i] = random.uniform(0.5, 1.5) * disk_mass / static_cast<double>(n - 1);
    bodies.radius[i] = radius_of(bodies.mass[i]);
    const double share = random.uniform();  // of the disk that is nearer to the centre
    const double r = inner_radius + (outer_radius - inner_radius) * share;
    const double v = std::sqrt(scene.setting.G * (centre_mass + disk_mass * share) / r);
    put_in_disk(bodies, i, r, v, 0.01 * outer_radius, random);
  }
  remove_means(bodies.mass, {&bodies.vx, &bodies.vy});
  return scene;
}

constexpr double core_mass = 1;
constexpr double light_mass = 0.01;  // all light bodies of a galaxy together: the centres dominate
constexpr double disk_start = 0.2, disk_end = 0.75, disk_half_height = 0.01;
constexpr double softening = 0.1;
constexpr double closest = 1;         // closest distance of the centres
constexpr double start_distance = 4;  // of the centres
constexpr double tilt_cosine[] = {1, 0.6}, tilt_sine[] = {0, 0.8};  // of the two disks

// About the x axis.
void tilt(double& y, double& z, std::size_t galaxy) {
  const double old_y = y;
  y = tilt_cosine[galaxy] * old_y - tilt_sine[galaxy] * z;
  z = tilt_sine[galaxy] * old_y + tilt_cosine[galaxy] * z;
}

// The bodies from first to last - 1; the first is the centre.
void make_galaxy(Bodies<double>& bodies, std::size_t galaxy, std::size_t first, std::size_t last,
                 Random& random) {
  // The centres are on a parabola about each other, a time 3.4 before they are closest; their total
  // mass is 2.02. Each covers half the distance between them.
  const double side = galaxy == 0 ? 0.5 : -0.5;
  const double cosine = 2 * closest / start_distance - 1;  // of the angle to the closest point
  const double sine = -std::sqrt(1 - cosine * cosine);
  const double speed = std::sqrt((core_mass + light_mass) / closest);
  for (std::size_t i = first; i < last; ++i) {
    bodies.mass[i] = core_mass;
    bodies.radius[i] = 0.05;
    if (i > first) {
      bodies.mass[i] =
          random.uniform(0.5, 1.5) * light_mass / static_cast<double>(last - first - 1);
      bodies.radius[i] = 0.005;
      // On a circle around the softened centre and the disk's mass inside it.
      const double share = random.uniform();  // of the disk that is nearer to the centre
      const double inner2 = disk_start * disk_start, outer2 = disk_end * disk_end;
      const double r2 = inner2 + (outer2 - inner2) * share;
      const double softened2 = r2 + softening * softening;
      const double mass = core_mass + light_mass * share;
      const double v = std::sqrt(mass * r2 / (softened2 * std::sqrt(softened2)));
      put_in_disk(bodies, i, std::sqrt(r2), v, disk_half_height, random);
    }
    tilt(bodies.qy[i], bodies.qz[i], galaxy);
    tilt(bodies.vy[i], bodies.vz[i], galaxy);
    bodies.qx[i] += side * start_distance * cosine;
    bodies.qy[i] += side * start_distance * sine;
    bodies.vx[i] += -side * speed * sine;
    bodies.vy[i] += side * speed * (1 + cosine);
  }
}

// As in Toomre and Toomre (1972), Astrophysical Journal 178, 623: the tides of a close passage draw
// bridges and tails out of disks of light bodies. The first half of the bodies is one galaxy, in
// the plane of the passage, the second half the other, tilted by 53 degrees; both turn as they
// pass. 500 steps lead to time 10, where the tails are longest. The inner edge turns by 0.18 per
// step; leapfrog keeps that on a circle, Eq. 4 and 5 do not, so the scene names its scheme.
Scene collision_scene(std::size_t n, std::uint64_t seed, double) {
  Random random(seed);
  Scene scene;
  scene.setting = {.G = 1, .softening = softening, .dt = 0.02, .dt_floor = 1e-4};
  scene.setting.integrator = "kdk";
  Bodies<double>& bodies = scene.bodies;
  bodies.resize(n);
  const std::size_t half = (n + 1) / 2;
  make_galaxy(bodies, 0, 0, half, random);
  make_galaxy(bodies, 1, half, n, random);
  remove_means(bodies.mass,
               {&bodies.qx, &bodies.qy, &bodies.qz, &bodies.vx, &bodies.vy, &bodies.vz});
  return scene;
}

using Column = std::vector<double>;

Scene orbit_scene(const Column& mass, const Column& qx, const Column& qy, const Column& vx,
                  const Column& vy) {
  const Column radius(mass.size(), 0.05), flat(mass.size(), 0);
  return {{mass, radius, qx, qy, flat, vx, vy, flat},
          {.G = 1, .softening = 0, .dt = 1e-3, .dt_floor = 1e-6}};
}

// Semi-major axis 1 and total mass 1, so the period is 2 pi and the energy -m0 m1 / 2; starts where
// the bodies are farthest apart.
Scene two_body_scene(std::size_t, std::uint64_t, double) {
  const double eccentricity = 0.25, distance = 1 + eccentricity;
  const double speed = std::sqrt((1 - eccentricity) / (1 + eccentricity));
  return orbit_scene({0.75, 0.25}, {-0.25 * distance, 0.75 * distance}, {0, 0}, {0, 0},
                     {-0.25 * speed, 0.75 * speed});
}

// Corners at distance 1 from the centre. Side s = sqrt(3), omega^2 = 3 m / s^3: the triangle turns
// rigidly, but a rounding error grows with each turn.
Scene lagrange_scene(std::size_t, std::uint64_t, double) {
  const double height = std::sqrt(3.0) / 2;
  const double omega = std::sqrt(1 / std::sqrt(3.0));
  return orbit_scene({1, 1, 1}, {1, -0.5, -0.5}, {0, height, -height},
                     {0, -omega * height, omega * height}, {omega, -omega * 0.5, -omega * 0.5});
}

// Chenciner and Montgomery (2000), Annals of Mathematics 152, 881, initial values by Simo; the
// period is 6.32591398.
Scene figure_eight_scene(std::size_t, std::uint64_t, double) {
  const double x = 0.97000436, y = -0.24308753;
  const double vx = -0.93240737, vy = -0.86473146;
  return orbit_scene({1, 1, 1}, {x, -x, 0}, {y, -y, 0}, {-vx / 2, -vx / 2, vx},
                     {-vy / 2, -vy / 2, vy});
}

}  // namespace

const std::vector<SceneGenerator>& scene_generators() {
  static const std::vector<SceneGenerator> generators = {
      {"random", "bodies of up to 5e21 kg anywhere in a box, slow", 0, true, 0, random_scene},
      {"galaxy", "a thin disk of light bodies around a heavy one", 0, true, 0, galaxy_scene},
      {"collision", "two disk galaxies pass and draw tails, G = 1; -i 500", 0, true, 0,
       collision_scene},
      {"plummer", "a star cluster in equilibrium, G = 1, N-body units", 0, true, 0, plummer_scene},
      {"two-body", "two bodies on ellipses, period 2 pi, G = 1", 2, false, 0, two_body_scene},
      {"lagrange", "three equal masses on a rotating triangle, G = 1", 3, false, 0, lagrange_scene},
      {"figure-eight", "three equal masses chase each other on an eight, G = 1", 3, false, 0,
       figure_eight_scene},
      {"six", "six heavy bodies, or -n N, in close encounters, G = 1", 6, true, 5, six_scene},
  };
  return generators;
}

Scene make_scene(const std::string& name, std::size_t n, std::uint64_t seed, double box) {
  std::vector<std::string> known;
  for (const SceneGenerator& generator : scene_generators()) {
    known.push_back(generator.name);
    if (generator.name != name) continue;
    const std::size_t number = n != 0 ? n : generator.bodies;
    const bool possible =
        generator.any_number ? number >= 1 && number <= max_bodies : number == generator.bodies;
    if (!possible) {
      throw InputError(fmt::format("scene {} has {} bodies, not {} (-n)", name,
                                   generator.any_number ? fmt::format("1 to {}", max_bodies)
                                                        : fmt::to_string(generator.bodies),
                                   number));
    }
    if (box != 0 && generator.box == 0) {
      throw InputError(fmt::format("scene {} has no box to resize: leave out --box", name));
    }
    Scene scene = generator.make(number, seed, box != 0 ? box : generator.box);
    scene.bodies = rounded_to_float(scene.bodies);
    return scene;
  }
  throw InputError(
      fmt::format("unknown scene {}: known are {}", in_quotes(name), fmt::join(known, ", ")));
}

}  // namespace nbody
