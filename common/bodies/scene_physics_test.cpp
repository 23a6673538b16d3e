#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bodies/scenes.hpp"

namespace nbody {
namespace {

double kinetic(const Bodies<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    sum += b.mass[i] / 2 * (b.vx[i] * b.vx[i] + b.vy[i] * b.vy[i] + b.vz[i] * b.vz[i]);
  }
  return sum;
}

double distance(const Bodies<double>& b, std::size_t i, std::size_t j) {
  return std::hypot(b.qx[i] - b.qx[j], b.qy[i] - b.qy[j], b.qz[i] - b.qz[j]);
}

double potential(const Bodies<double>& b, const Setting& setting) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      sum -= setting.G * b.mass[i] * b.mass[j] / std::hypot(distance(b, i, j), setting.softening);
  }
  return sum;
}

double weighted(const std::vector<double>& mass, const std::vector<double>& value) {
  double sum = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) sum += mass[i] * value[i];
  return sum;
}

void kick(Bodies<double>& b, double G, double dt) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (i == j) continue;
      const double r = distance(b, i, j);
      const double strength = G * b.mass[j] / (r * r * r) * dt;
      b.vx[i] += strength * (b.qx[j] - b.qx[i]);
      b.vy[i] += strength * (b.qy[j] - b.qy[i]);
      b.vz[i] += strength * (b.qz[j] - b.qz[i]);
    }
  }
}

void drift(Bodies<double>& b, double dt) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    b.qx[i] += b.vx[i] * dt;
    b.qy[i] += b.vy[i] * dt;
    b.qz[i] += b.vz[i] * dt;
  }
}

// Leapfrog: second order and reversible, so orbits close after a period.
Bodies<double> after(Bodies<double> bodies, double G, double time, int steps) {
  const double dt = time / steps;
  for (int step = 0; step < steps; ++step) {
    drift(bodies, dt / 2);
    kick(bodies, G, dt);
    drift(bodies, dt / 2);
  }
  return bodies;
}

double largest_displacement(const Bodies<double>& a, const Bodies<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest =
        std::max(largest, std::hypot(a.qx[i] - b.qx[i], a.qy[i] - b.qy[i], a.qz[i] - b.qz[i]));
  }
  return largest;
}

// What rounding to 24 bits leaves: 6e-8 of each body's momentum, of random sign.
TEST(GalaxyScene, HasNoMomentum) {
  for (const std::size_t n : {1u, 2u, 2000u}) {
    const Bodies<double> b = make_scene("galaxy", n, 1).bodies;
    double momenta = 1e-300;
    for (std::size_t i = 0; i < n; ++i) momenta += b.mass[i] * std::hypot(b.vx[i], b.vy[i]);
    for (const auto* v : {&b.vx, &b.vy, &b.vz}) {
      EXPECT_LE(std::abs(weighted(b.mass, *v)), 6e-8 * momenta) << n;
    }
  }
}

TEST(GalaxyScene, OrbitsAreNearlyCircular) {
  const Scene scene = make_scene("galaxy", 2000, 1);
  const Bodies<double>& b = scene.bodies;
  EXPECT_EQ(b.mass[0], *std::max_element(b.mass.begin(), b.mass.end()));
  EXPECT_EQ(distance(b, 0, 0) + b.qx[0] + b.qy[0] + b.qz[0], 0);
  for (std::size_t i = 1; i < b.size(); ++i) {
    const double r = distance(b, i, 0);
    const double vx = b.vx[i] - b.vx[0], vy = b.vy[i] - b.vy[0], vz = b.vz[i] - b.vz[0];
    const double v = std::hypot(vx, vy, vz);
    // The disk adds at most 2 % to the centre's mass, its thickness 0.2 % to r.
    EXPECT_NEAR(v * v * r / (scene.setting.G * b.mass[0]), 1, 0.025);
    const double outwards = (b.qx[i] * vx + b.qy[i] * vy + b.qz[i] * vz) / r;
    EXPECT_LT(std::abs(outwards), 1e-6 * v);
    EXPECT_GT(b.qx[i] * vy - b.qy[i] * vx, 0) << "all turn the same way";
    EXPECT_LE(std::abs(b.qz[i]), 0.01 * 1e9);
    EXPECT_LT(b.radius[i], 0.1 * b.radius[0]);
  }
}

// The step that a simulator takes, Eq. 4 and 5, for 300 of the scene's own time steps.
TEST(GalaxyScene, StaysADisk) {
  const Scene scene = make_scene("galaxy", 100, 2);
  Bodies<double> b = scene.bodies;
  const double dt = scene.setting.dt;
  for (int step = 0; step < 300; ++step) {
    Bodies<double> kicked = b;
    kick(kicked, scene.setting.G, dt);
    for (std::size_t i = 0; i < b.size(); ++i) {
      b.qx[i] += (b.vx[i] + kicked.vx[i]) / 2 * dt;
      b.qy[i] += (b.vy[i] + kicked.vy[i]) / 2 * dt;
      b.qz[i] += (b.vz[i] + kicked.vz[i]) / 2 * dt;
      b.vx[i] = kicked.vx[i];
      b.vy[i] = kicked.vy[i];
      b.vz[i] = kicked.vz[i];
    }
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
    T += kinetic(scene.bodies) / 4;
    W += potential(scene.bodies, scene.setting) / 4;
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
  const Scene scene = make_scene("two-body", 0, 0);
  const Bodies<double>& b = scene.bodies;
  EXPECT_NEAR(kinetic(b) + potential(b, scene.setting), -b.mass[0] * b.mass[1] / 2, 1e-7);
  EXPECT_NEAR(weighted(b.mass, b.qx), 0, 1e-7);
  EXPECT_NEAR(weighted(b.mass, b.vy), 0, 1e-7);
  const double period = 2 * std::acos(-1.0);
  EXPECT_LT(largest_displacement(after(b, 1, period, 10000), b), 1e-5);
  EXPECT_NEAR(distance(after(b, 1, period / 2, 10000), 0, 1), 0.75, 1e-5);
}

TEST(LagrangeScene, TurnsRigidly) {
  const Bodies<double> b = make_scene("lagrange", 0, 0).bodies;
  const double omega = std::sqrt(1 / std::sqrt(3.0));
  const double third = 2 * std::acos(-1.0) / omega / 3;
  const Bodies<double> turned = after(b, 1, third, 10000);
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
  EXPECT_LT(largest_displacement(after(b, 1, period, 20000), b), 1e-5);
  // All on one curve: after a third of the period they have changed places.
  const Bodies<double> third = after(b, 1, period / 3, 20000);
  EXPECT_NEAR(third.qx[0] + third.qx[1] + third.qx[2], 0, 1e-6);
  const double x[3] = {third.qx[0], third.qx[1], third.qx[2]};
  for (const double start : b.qx) {
    const double nearest =
        std::min({std::abs(x[0] - start), std::abs(x[1] - start), std::abs(x[2] - start)});
    EXPECT_LT(nearest, 1e-5);
  }
}

}  // namespace
}  // namespace nbody
