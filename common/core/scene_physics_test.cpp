#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/scenes.hpp"
#include "core/test_bodies.hpp"

namespace nbody {
namespace {

using namespace test;

double weighted(const std::vector<double>& mass, const std::vector<double>& value) {
  double sum = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) sum += mass[i] * value[i];
  return sum;
}

Bodies<double> after(Bodies<double> bodies, double time, int steps) {
  for (int k = 0; k < steps; ++k) leapfrog(bodies, /*G=*/1, 0, time / steps);
  return bodies;
}

// Twice the area that it sweeps per time in the xy plane.
double turning(const State& body) { return body.q.x * body.v.y - body.q.y * body.v.x; }

double largest_displacement(const Bodies<double>& a, const Bodies<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, length(relative(state_of(a, i), state_of(b, i)).q));
  }
  return largest;
}

// What rounding to 24 bits leaves: 6e-8 of each body's momentum, of random sign.
TEST(GalaxyScene, HasNoMomentum) {
  for (const std::size_t n : {1u, 2u, 2000u}) {
    const Bodies<double> b = make_scene("galaxy", n, 1).bodies;
    const Vector p = momentum(b);
    for (const double component : {p.x, p.y, p.z}) {
      EXPECT_LE(std::abs(component), 6e-8 * momentum_scale(b)) << n;
    }
  }
}

TEST(GalaxyScene, OrbitsAreNearlyCircular) {
  const Scene scene = make_scene("galaxy", 2000, 1);
  const Bodies<double>& b = scene.bodies;
  EXPECT_EQ(b.mass[0], *std::max_element(b.mass.begin(), b.mass.end()));
  EXPECT_EQ(distance(b, 0, 0) + b.qx[0] + b.qy[0] + b.qz[0], 0);
  for (std::size_t i = 1; i < b.size(); ++i) {
    const State seen = relative(state_of(b, 0), state_of(b, i));
    const double r = length(seen.q), v = length(seen.v);
    // The disk adds at most 2 % to the centre's mass, its thickness 0.2 % to r.
    EXPECT_NEAR(v * v * r / (scene.setting.G * b.mass[0]), 1, 0.025);
    EXPECT_LT(std::abs(dot(seen.q, seen.v) / r), 1e-6 * v);
    EXPECT_GT(turning(seen), 0) << "all turn the same way";
    EXPECT_LE(std::abs(b.qz[i]), 0.01 * 1e9);
    EXPECT_LT(b.radius[i], 0.1 * b.radius[0]);
  }
}

// The step that a simulator takes, Eq. 4 and 5, for 300 of the scene's own time steps.
TEST(GalaxyScene, StaysADisk) {
  const Scene scene = make_scene("galaxy", 100, 2);
  const Setting& setting = scene.setting;
  Bodies<double> b = scene.bodies;
  for (int step = 0; step < 300; ++step) {
    const auto a = reference_accelerations(b, setting.G, setting.softening).acceleration;
    reference_update(b, a, setting.dt);
  }
  for (std::size_t i = 1; i < b.size(); ++i) {
    EXPECT_NEAR(distance(b, i, 0) / distance(scene.bodies, i, 0), 1, 0.1);
    EXPECT_LT(std::abs(b.qz[i] - b.qz[0]), 0.02 * 1e9);
  }
  EXPECT_GT(largest_displacement(b, scene.bodies), 2e8) << "it turns";
}

// The energy of 4096 random bodies scatters by 2 %, the mean of four such clusters by 1 %.
TEST(PlummerScene, IsInEquilibriumInStandardUnits) {
  double T = 0, W = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Scene scene = make_scene("plummer", 4096, seed);
    T += kinetic_energy(scene.bodies) / 4;
    W += potential_energy(scene.bodies, scene.setting.G, scene.setting.softening) / 4;
  }
  EXPECT_NEAR(-2 * T / W, 1, 0.03);
  EXPECT_NEAR(T + W, -0.25, 0.03 * 0.25);
}

TEST(PlummerScene, RestsAtTheOrigin) {
  const Bodies<double> b = make_scene("plummer", 4096, 1).bodies;
  double total = 0;
  for (const double mass : b.mass) total += mass;
  EXPECT_NEAR(total, 1, 1e-7);
  // What rounding to 24 bits leaves.
  for (const auto* column : {&b.qx, &b.qy, &b.qz, &b.vx, &b.vy, &b.vz}) {
    EXPECT_NEAR(weighted(b.mass, *column), 0, 1e-8);
  }
}

// Mass within r in standard units: r^3 / (r^2 + a^2)^(3/2), a = 3 pi / 16.
TEST(PlummerScene, HasPlummersProfile) {
  const Bodies<double> b = make_scene("plummer", 20000, 2).bodies;
  const double a = 3 * std::acos(-1.0) / 16;
  for (const double r : {0.2, 0.5, 1.0, 2.0, 5.0}) {
    double inside = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (std::hypot(b.qx[i], b.qy[i], b.qz[i]) < r) inside += b.mass[i];
    }
    // Three standard deviations of counting, and the cut tail of 0.4 %.
    EXPECT_NEAR(inside, std::pow(1 + a * a / (r * r), -1.5), 3 * 0.5 / std::sqrt(20000.0) + 0.004);
  }
}

TEST(TwoBodyScene, HasPeriodTwoPi) {
  const Bodies<double> b = make_scene("two-body", 0, 0).bodies;
  EXPECT_NEAR(conserved(b, 1, 0).energy, -b.mass[0] * b.mass[1] / 2, 1e-7);
  EXPECT_NEAR(weighted(b.mass, b.qx), 0, 1e-7);
  EXPECT_NEAR(weighted(b.mass, b.vy), 0, 1e-7);
  const double period = 2 * std::acos(-1.0);
  EXPECT_LT(largest_displacement(after(b, period, 10000), b), 1e-5);
  EXPECT_NEAR(distance(after(b, period / 2, 10000), 0, 1), 0.75, 1e-5);
}

TEST(LagrangeScene, TurnsRigidly) {
  const Bodies<double> b = make_scene("lagrange", 0, 0).bodies;
  const double omega = std::sqrt(1 / std::sqrt(3.0));
  const double third = 2 * std::acos(-1.0) / omega / 3;
  const Bodies<double> turned = after(b, third, 10000);
  for (std::size_t i = 0; i < 3; ++i) {
    // After a third of a turn each body stands where the next one started.
    EXPECT_NEAR(turned.qx[i], b.qx[(i + 1) % 3], 1e-5);
    EXPECT_NEAR(turned.qy[i], b.qy[(i + 1) % 3], 1e-5);
    EXPECT_NEAR(distance(turned, i, (i + 1) % 3), std::sqrt(3.0), 1e-5);
  }
}

TEST(FigureEightScene, ClosesAfterItsPeriod) {
  const Bodies<double> b = make_scene("figure-eight", 0, 0).bodies;
  const double period = 6.32591398;
  EXPECT_LT(largest_displacement(after(b, period, 20000), b), 1e-5);
  // All on one curve: after a third of the period they have changed places.
  const Bodies<double> third = after(b, period / 3, 20000);
  EXPECT_NEAR(third.qx[0] + third.qx[1] + third.qx[2], 0, 1e-6);
  const double x[3] = {third.qx[0], third.qx[1], third.qx[2]};
  for (const double start : b.qx) {
    const double nearest =
        std::min({std::abs(x[0] - start), std::abs(x[1] - start), std::abs(x[2] - start)});
    EXPECT_LT(nearest, 1e-5);
  }
}

TEST(CollisionScene, RestsAtTheOrigin) {
  for (const std::size_t n : {1u, 2u, 3u, 4u, 2001u}) {
    const Bodies<double> b = make_scene("collision", n, 1).bodies;
    for (const auto* column : {&b.qx, &b.qy, &b.qz, &b.vx, &b.vy, &b.vz}) {
      EXPECT_NEAR(weighted(b.mass, *column), 0, 5e-7) << n;  // of 2, each rounded to 24 bits
    }
  }
}

// A parabola: the speed is that of escape, and r v^2 / 2 (1 + cos angle) = G M.
TEST(CollisionScene, TheCentresPassOnAParabola) {
  const std::size_t n = 2000;
  const Bodies<double> b = make_scene("collision", n, 3).bodies;
  const State seen = relative(state_of(b, n / 2), state_of(b, 0));
  EXPECT_NEAR(length(seen.q), 4, 1e-6);
  EXPECT_NEAR(dot(seen.v, seen.v) / 2, 2.02 / 4, 1e-6);
  EXPECT_LT(dot(seen.q, seen.v), 0) << "towards each other";
  EXPECT_NEAR(std::pow(turning(seen), 2) / (2 * 2.02), 1, 1e-6)
      << "the distance where they are closest";
}

TEST(CollisionScene, BothDisksTurnInCirclesThatTheSofteningAsksFor) {
  const std::size_t n = 2000;
  const Scene scene = make_scene("collision", n, 2);
  const Bodies<double>& b = scene.bodies;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t centre = i < n / 2 ? 0 : n / 2;
    if (i == centre) continue;
    const State seen = relative(state_of(b, centre), state_of(b, i));
    const double r = length(seen.q), v = length(seen.v);
    EXPECT_TRUE(r > 0.199 && r < 0.751) << r;
    const double pull = r / std::pow(r * r + 0.01, 1.5);
    EXPECT_NEAR(v * v / r / pull, 1, 0.02) << "1 % of disk, and its thickness";
    EXPECT_LT(std::abs(dot(seen.q, seen.v)), 1e-5);
    EXPECT_NEAR(turning(seen) / v / r, centre == 0 ? 1 : 0.6, 0.05) << "and the same way";
    EXPECT_LT(b.mass[i], 2e-5);
  }
  EXPECT_EQ(scene.setting.integrator, "kdk");
}

// What the scene is there for: 500 steps later one body in ten is far from both centres, some of
// them on either side, and the rest still are two disks.
TEST(CollisionScene, DrawsTails) {
  const std::size_t n = 120, other = n / 2;  // so few that no threads are started
  const Scene scene = make_scene("collision", n, 1);
  Bodies<double> b = scene.bodies;
  double closest = distance(b, 0, other);
  for (int k = 0; k < 500; ++k) {
    leapfrog(b, scene.setting.G, scene.setting.softening, scene.setting.dt);
    closest = std::min(closest, distance(b, 0, other));
  }
  EXPECT_NEAR(closest, 1, 0.05);
  int far[2] = {0, 0}, near = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double nearest = std::min(distance(b, i, 0), distance(b, i, other));
    if (nearest > 1.5) ++far[i < other ? 0 : 1];
    if (nearest < 0.75) ++near;
  }
  EXPECT_GT(far[0], 6);
  EXPECT_GT(far[1], 6);
  EXPECT_GT(near, 60);
}

}  // namespace
}  // namespace nbody
