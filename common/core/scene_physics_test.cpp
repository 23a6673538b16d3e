#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "core/body_file.hpp"
#include "core/conserved.hpp"
#include "core/reference.hpp"
#include "core/scenes.hpp"

namespace nbody {
namespace {

constexpr double pi = std::numbers::pi;

Scene scene_of(const char* file) {
  return read_body_file(std::filesystem::path(DATA_FOLDER) / file);
}

// By leapfrog: second order and reversible.
TEST(Scenes, OrbitsCloseAfterTheirPeriods) {
  struct Row {
    Scene scene;
    double period;
  };
  const double triangle = 2 * pi * std::pow(3.0, 0.25);  // omega^2 = 1 / sqrt(3)
  for (const auto& [scene, period] :
       {Row{make_scene("two-body", 0, 0), 2 * pi}, Row{make_scene("lagrange", 0, 0), triangle},
        Row{make_scene("figure-eight", 0, 0), 6.32591398}, Row{scene_of("two_body.dat"), 2 * pi},
        Row{scene_of("figure_eight.dat"), 6.32591398}}) {
    Bodies<double> b = scene.bodies;
    Vectors<double> none;
    none.resize(b.size());
    const double dt = period / 20000;
    for (int k = 0; k < 20000; ++k) {
      reference_update(b, none, dt / 2);
      const auto a = reference_accelerations(b, scene.setting.G, 0).acceleration;
      for (std::size_t i = 0; i < b.size(); ++i) {
        b.vx[i] += a.x[i] * dt;
        b.vy[i] += a.y[i] * dt;
      }
      reference_update(b, none, dt / 2);
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      EXPECT_NEAR(b.qx[i], scene.bodies.qx[i], 1e-5) << period;
      EXPECT_NEAR(b.qy[i], scene.bodies.qy[i], 1e-5) << period;
    }
  }
}

// Energy -1/4 in standard units; that of 4096 random bodies scatters by 2 %. Mass within r:
// r^3 / (r^2 + a^2)^(3/2), a = 3 pi / 16.
TEST(PlummerScene, IsInEquilibriumWithPlummersProfile) {
  double T = 0, W = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Scene scene = make_scene("plummer", 4096, seed);
    T += kinetic_energy(scene.bodies) / 4;
    W += potential_energy(scene.bodies, scene.setting.G, scene.setting.softening) / 4;
  }
  EXPECT_NEAR(-2 * T / W, 1, 0.03);
  EXPECT_NEAR(T + W, -0.25, 0.03 * 0.25);

  const Bodies<double> b = make_scene("plummer", 20000, 2).bodies;
  const double a = 3 * pi / 16;
  for (const double r : {0.2, 0.5, 1.0, 2.0, 5.0}) {
    double inside = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (std::hypot(b.qx[i], b.qy[i], b.qz[i]) < r) inside += b.mass[i];
    }
    // Three standard deviations of counting, and the cut tail of 0.4 %.
    EXPECT_NEAR(inside, std::pow(1 + a * a / (r * r), -1.5), 3 * 0.5 / std::sqrt(20000.0) + 0.004);
  }
}

// Semi-major axis by vis-viva, then Kepler's third law. JPL, Planetary Physical Parameters:
// sidereal orbit periods in Julian years. The Sun stretches the real month of two bodies, 27.285
// days.
TEST(SolarSystem, PeriodsAreThePublishedOnes) {
  const Scene scene = scene_of("solar_system.dat");
  const Bodies<double>& b = scene.bodies;
  ASSERT_EQ(b.size(), 10u);
  enum : std::size_t { sun, mercury, venus, earth, moon, mars, jupiter, saturn, uranus, neptune };
  struct Row {
    std::size_t centre, body;
    double years, error;
  };
  for (const auto& [centre, body, years, error] :
       {Row{sun, mercury, 0.2408467, 1e-3}, Row{sun, venus, 0.61519726, 1e-3},
        Row{earth, moon, 27.322 / 365.25, 2e-3}, Row{sun, mars, 1.8808476, 1e-3},
        Row{sun, jupiter, 11.862615, 1e-3}, Row{sun, saturn, 29.447498, 1e-3},
        Row{sun, uranus, 84.016846, 1e-3}, Row{sun, neptune, 164.79132, 1e-3}}) {
    const double gm = scene.setting.G * (b.mass[centre] + b.mass[body]);
    const double r =
        std::hypot(b.qx[body] - b.qx[centre], b.qy[body] - b.qy[centre], b.qz[body] - b.qz[centre]);
    const double v =
        std::hypot(b.vx[body] - b.vx[centre], b.vy[body] - b.vy[centre], b.vz[body] - b.vz[centre]);
    const double axis = 1 / (2 / r - v * v / gm);
    const double period = 2 * pi * std::sqrt(axis * axis * axis / gm) / 86400 / 365.25;
    EXPECT_NEAR(period / years, 1, error) << body;
    EXPECT_EQ(scene.names.count(body), 1u);
  }
}

}  // namespace
}  // namespace nbody
