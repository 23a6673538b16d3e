#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/body_file.hpp"
#include "core/test_bodies.hpp"

namespace nbody {
namespace {

using namespace test;

constexpr double pi = 3.14159265358979323846;
constexpr double au = 149597870700.0;
constexpr double day = 86400;

Scene scene_of(const char* name) {
  return read_body_file(std::filesystem::path(DATA_FOLDER) / name);
}

State together(const State& a, const State& b) {
  const double m = a.mass + b.mass;
  const auto mean = [&](double x, double y) { return (a.mass * x + b.mass * y) / m; };
  return {m,
          {mean(a.q.x, b.q.x), mean(a.q.y, b.q.y), mean(a.q.z, b.q.z)},
          {mean(a.v.x, b.v.x), mean(a.v.y, b.v.y), mean(a.v.z, b.v.z)}};
}

// Semi-major axis by vis-viva, then Kepler's third law; in days.
double period(const State& orbit, double G) {
  const double gm = G * orbit.mass;
  const double v = length(orbit.v);
  const double axis = 1 / (2 / length(orbit.q) - v * v / gm);
  return 2 * pi * std::sqrt(axis * axis * axis / gm) / day;
}

void expect_centred(const Bodies<double>& bodies) {
  double scale_q = 0;
  Vector centre;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const State body = state_of(bodies, i);
    centre = {centre.x + body.mass * body.q.x, centre.y + body.mass * body.q.y,
              centre.z + body.mass * body.q.z};
    scale_q += body.mass * length(body.q);
  }
  // Thirteen digits are written.
  EXPECT_LT(length(centre), 1e-12 * scale_q);
  EXPECT_LT(length(momentum(bodies)), 1e-12 * momentum_scale(bodies));
}

// Indices in solar_system.dat.
enum : std::size_t { sun, mercury, venus, earth, moon, mars, jupiter, saturn, uranus, neptune };

TEST(SolarSystem, earth_and_moon_are_where_they_should_be) {
  const Scene scene = scene_of("solar_system.dat");
  const auto& bodies = scene.bodies;
  ASSERT_EQ(bodies.size(), 10u);
  EXPECT_EQ(scene.setting.G, 6.67384e-11);

  const State orbit = relative(state_of(bodies, sun), state_of(bodies, earth));
  EXPECT_GT(length(orbit.q), 0.983 * au);
  EXPECT_LT(length(orbit.q), 1.017 * au);
  // Mean speed 29.78 km/s; perihelion on 3 January 2000 makes it 30.29 at J2000.0.
  EXPECT_NEAR(length(orbit.v), 30290, 15);
  // A year starts with the Earth at 100 degrees from the vernal equinox.
  EXPECT_NEAR(std::atan2(orbit.q.y, orbit.q.x) * 180 / pi, 100.4, 0.1);

  const State month = relative(state_of(bodies, earth), state_of(bodies, moon));
  EXPECT_GT(length(month.q), 356e6);
  EXPECT_LT(length(month.q), 407e6);
  // The Sun stretches the real month to 27.322 days; two bodies alone would take 27.285.
  EXPECT_NEAR(period(month, scene.setting.G), 27.322, 0.05);
  EXPECT_GT(month.q.x * month.v.y - month.q.y * month.v.x, 0);
}

TEST(SolarSystem, periods_are_the_published_ones) {
  const Scene scene = scene_of("solar_system.dat");
  const auto& bodies = scene.bodies;
  const State centre = state_of(bodies, sun);
  // JPL, Planetary Physical Parameters: sidereal orbit period in Julian years.
  const std::pair<std::size_t, double> published[] = {
      {mercury, 0.2408467}, {venus, 0.61519726}, {mars, 1.8808476},   {jupiter, 11.862615},
      {saturn, 29.447498},  {uranus, 84.016846}, {neptune, 164.79132}};
  for (const auto& [planet, years] : published) {
    const double days = period(relative(centre, state_of(bodies, planet)), scene.setting.G);
    EXPECT_NEAR(days / (years * 365.25), 1, 1e-3) << planet;
  }
  const State pair = together(state_of(bodies, earth), state_of(bodies, moon));
  EXPECT_NEAR(period(relative(centre, pair), scene.setting.G), 365.256, 0.01);
}

TEST(SolarSystem, stands_about_its_centre_of_mass) {
  for (const char* name : {"solar_system.dat", "8bodies.dat", "earth_moon_sun.dat"}) {
    SCOPED_TRACE(name);
    expect_centred(scene_of(name).bodies);
  }
  EXPECT_EQ(scene_of("8bodies.dat").bodies.size(), 8u);
  EXPECT_EQ(scene_of("earth_moon_sun.dat").bodies.size(), 3u);
}

TEST(TwoBody, is_pulled_as_its_circles_need) {
  const Scene scene = scene_of("two_body.dat");
  const auto a = reference_accelerations(scene.bodies, scene.setting.G, 0).acceleration;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(a.x[i], -scene.bodies.qx[i]);  // omega = 1
    EXPECT_EQ(scene.bodies.vy[i], scene.bodies.qx[i]);
  }
}

TEST(Lagrange, is_pulled_as_its_turning_triangle_needs) {
  const Scene scene = scene_of("lagrange.dat");
  const auto& b = scene.bodies;
  const auto a = reference_accelerations(b, scene.setting.G, 0).acceleration;
  const double omega = 2 * pi / 8.2691;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.x[i], -omega * omega * b.qx[i], 1e-5);
    EXPECT_NEAR(a.y[i], -omega * omega * b.qy[i], 1e-5);
    EXPECT_NEAR(b.vx[i], -omega * b.qy[i], 1e-5);
    EXPECT_NEAR(b.vy[i], omega * b.qx[i], 1e-5);
  }
}

// One period in 4000 steps comes back within some 1e-6.
TEST(FigureEight, comes_back_after_its_period) {
  const Scene scene = scene_of("figure_eight.dat");
  Bodies<double> bodies = scene.bodies;
  for (int k = 0; k < 4000; ++k) leapfrog(bodies, scene.setting.G, 0, 6.32591398 / 4000);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(bodies.qx[i], scene.bodies.qx[i], 1e-5);
    EXPECT_NEAR(bodies.qy[i], scene.bodies.qy[i], 1e-5);
  }
  EXPECT_EQ(angular_momentum(scene.bodies).z, 0);
}

TEST(Galaxy, turns_on_nearly_circular_orbits) {
  const Scene scene = scene_of("galaxy_5000.dat");
  const auto& b = scene.bodies;
  ASSERT_EQ(b.size(), 5000u);
  EXPECT_EQ(b.mass[0], 2e24);
  const auto a = reference_accelerations(b, scene.setting.G, scene.setting.softening).acceleration;
  EXPECT_LT(length(momentum(b)), 1e-6 * momentum_scale(b)) << "six digits";
  std::size_t circular = 0;
  for (std::size_t i = 1; i < b.size(); ++i) {
    const double r2 = b.qx[i] * b.qx[i] + b.qy[i] * b.qy[i];
    const double v2 = b.vx[i] * b.vx[i] + b.vy[i] * b.vy[i];
    const double inwards = -(a.x[i] * b.qx[i] + a.y[i] * b.qy[i]);
    if (std::abs(inwards / v2 - 1) < 0.02) ++circular;
    ASSERT_GT(r2, 1.99e8 * 1.99e8);
    ASSERT_LT(r2, 1.01e9 * 1.01e9);
    ASSERT_GT(b.qx[i] * b.vy[i] - b.qy[i] * b.vx[i], 0);
  }
  // The rest has a neighbour near by, or stands at the rim.
  EXPECT_GT(circular, 4500u);
  EXPECT_LT(std::filesystem::file_size(std::filesystem::path(DATA_FOLDER) / "galaxy_5000.dat"),
            500000u);
}

}  // namespace
}  // namespace nbody
