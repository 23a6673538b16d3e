#include "core/units.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/random.hpp"
#include "core/scenes.hpp"

namespace nbody {
namespace {

constexpr double SI_G = 6.67384e-11;

// Sun, Earth and Neptune: the range that floats cannot hold.
Bodies<double> solar_system() {
  Bodies<double> bodies;
  bodies.mass = {1.9891e30, 5.9736e24, 1.0243e26};
  bodies.radius = {6.96e8, 6.378e6, 2.4764e7};
  bodies.qx = {0, 1.496e11, 0};
  bodies.qy = {0, 0, -4.4983e12};
  bodies.qz = {0, 1e7, 0};
  bodies.vx = {0, 0, 5430};
  bodies.vy = {0, 29783, 0};
  bodies.vz = {0, -12.5, 0};
  return bodies;
}

// Masses, extent and G of any size, so that every exponent occurs with both signs.
Bodies<double> random_bodies(Random& random, std::size_t n) {
  Bodies<double> bodies;
  const int mass = static_cast<int>(random.uniform(-100, 100));
  const int length = static_cast<int>(random.uniform(-100, 100));
  const int velocity = static_cast<int>(random.uniform(-100, 100));
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass.push_back(std::ldexp(1 - random.uniform(), mass));
    bodies.radius.push_back(std::ldexp(random.uniform(), length));
    for (auto* q : {&bodies.qx, &bodies.qy, &bodies.qz}) {
      q->push_back(std::ldexp(random.uniform(-1, 1), length));
    }
    for (auto* v : {&bodies.vx, &bodies.vy, &bodies.vz}) {
      v->push_back(std::ldexp(random.uniform(-1, 1), velocity));
    }
  }
  return bodies;
}

double largest(std::initializer_list<const std::vector<double>*> columns) {
  double result = 0;
  for (const auto* column : columns) {
    for (const double value : *column) result = std::max(result, std::abs(value));
  }
  return result;
}

void expect_working_range(const Bodies<double>& si, double G) {
  const Units units = Units::for_bodies(si, G);
  const Bodies<double> working = units.to_working(si);
  EXPECT_LT(largest({&working.qx, &working.qy, &working.qz}), 1);
  EXPECT_GE(largest({&working.qx, &working.qy, &working.qz}), 0.5);
  EXPECT_LT(largest({&working.mass}), 1);
  EXPECT_GE(largest({&working.mass}), 0.5);
  EXPECT_LT(units.to_G(G), 2);
  EXPECT_GE(units.to_G(G), 0.5);
}

TEST(Units, BringEverythingNearOne) {
  expect_working_range(solar_system(), SI_G);
  for (const char* scene : {"random", "galaxy", "plummer"}) {
    expect_working_range(make_scene(scene, 100, 1).bodies, make_scene(scene, 100, 1).setting.G);
  }
  Random random(1);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    expect_working_range(random_bodies(random, 5),
                         std::ldexp(1 + random.uniform(), repeat / 5 - 100));
  }
}

TEST(Units, RoundTripsAreExact) {
  Random random(2);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const Bodies<double> si = random_bodies(random, 5);
    const Units units = Units::for_bodies(si, SI_G);
    ASSERT_EQ(units.to_si(units.to_working(si)), si);
    ASSERT_EQ(units.time_to_si(units.to_time(3601.7)), 3601.7);
  }
}

// Mantissas stay, so a simulator in working units does the same arithmetic as one in SI units.
TEST(Units, KeepMantissas) {
  const Bodies<double> si = solar_system();
  const Units units = Units::for_bodies(si, SI_G);
  const Bodies<double> working = units.to_working(si);
  int exponent = 0;
  for (std::size_t i = 0; i < si.size(); ++i) {
    EXPECT_EQ(std::frexp(working.qy[i], &exponent), std::frexp(si.qy[i], &exponent));
    EXPECT_EQ(std::frexp(working.vy[i], &exponent), std::frexp(si.vy[i], &exponent));
    EXPECT_EQ(std::frexp(working.mass[i], &exponent), std::frexp(si.mass[i], &exponent));
  }
}

// The formulas must give the same physics in both units: the two-body pull, a velocity as length
// over time, and one time step, all exact because the factors are powers of two.
TEST(Units, AreConsistent) {
  const Bodies<double> si = solar_system();
  const Units units = Units::for_bodies(si, SI_G);
  const Bodies<double> working = units.to_working(si);

  const auto pull = [](const Bodies<double>& bodies, double G) {
    const double dx = bodies.qx[1] - bodies.qx[0];
    return G * bodies.mass[0] / (dx * dx);
  };
  const Vectors<double> a = {{pull(working, units.to_G(SI_G))}, {0}, {0}};
  EXPECT_EQ(units.acceleration_to_si(a).x[0], pull(si, SI_G));

  const double dt = 3600;
  EXPECT_EQ(units.to_length(si.vy[1] * dt), working.vy[1] * units.to_time(dt));
  EXPECT_EQ(units.to_length(si.radius[2]), working.radius[2]);
}

// Subnormal results are rounded, large ones become infinite: as ldexp() does it, bit for bit.
class Scaled : public testing::TestWithParam<double> {};

TEST_P(Scaled, IsWhatLdexpGives) {
  for (const int exponent : {-2100, -1100, -1075, -1074, -1023, -1022, -1021, -600, -53,  -52,
                             -1,    0,     1,     52,    600,   1022,  1023,  1024, 1100, 2100}) {
    Units units;
    units.length = exponent;
    const double expected = std::ldexp(GetParam(), exponent);
    for (const double value : units.acceleration_to_si({{GetParam()}, {}, {}}).x) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(expected))
          << value << " instead of " << expected << " for 2^" << exponent;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Numbers, Scaled,
                         testing::Values(0.0, -0.0, 1.0, -0x1.8p0, 0x1.fffffffffffffp1023,
                                         -0x1.fffffffffffffp-1, 0x1.0000000000001p-1000,
                                         0x1.8p-1022, 0x1p-1022, -0x0.fffffffffffffp-1022,
                                         0x0.0000000000003p-1022, 0x0.0000000000001p-1022,
                                         std::numeric_limits<double>::infinity(),
                                         std::bit_cast<double>(0x7ff8000000000123)));

TEST(Units, ExponentsOfTheSolarSystem) {
  const Units units = Units::for_bodies(solar_system(), SI_G);
  EXPECT_EQ(units.length, 43);  // 2^42 < 4.5e12 < 2^43
  EXPECT_EQ(units.mass, 101);   // 2^100 < 2e30 < 2^101
  EXPECT_EQ(units.time, 31);    // floor((129 - 101 + 34) / 2)
}

TEST(Units, OddExponentsRoundDown) {
  Bodies<double> bodies = make_scene("two-body", 0, 0).bodies;
  bodies.qx = {0, 0};
  bodies.mass = {0.75, 0.5};
  EXPECT_EQ(Units::for_bodies(bodies, 2.0).time, -1);
  EXPECT_EQ(Units::for_bodies(bodies, 8.0).time, -2);
  EXPECT_EQ(Units::for_bodies(bodies, 0.5).time, 0);
}

TEST(Units, ZerosGetTheExponentZero) {
  Bodies<double> bodies;
  bodies.resize(1);
  Units units = Units::for_bodies(bodies, 0);
  EXPECT_EQ(units.length, 0);
  EXPECT_EQ(units.mass, 0);
  EXPECT_EQ(units.time, 0);
  EXPECT_EQ(units.to_G(0), 0);

  units = Units::for_bodies(solar_system(), 0);
  EXPECT_EQ(units.length, 43);
  EXPECT_EQ(units.time, 0);
  EXPECT_EQ(Units::for_bodies(Bodies<double>(), 1).length, 0);
}

TEST(RoundedToFloat, KeepsTwentyFourBits) {
  EXPECT_EQ(rounded_to_float(1 + 0x1p-23), 1 + 0x1p-23);
  EXPECT_EQ(rounded_to_float(1 + 0x1p-24), 1);  // a tie, to even
  EXPECT_EQ(rounded_to_float(1 + 0x3p-24), 1 + 0x1p-22);
  EXPECT_EQ(rounded_to_float(-(1 + 0x1.8p-24)), -(1 + 0x1p-23));
  EXPECT_EQ(rounded_to_float(2 - 0x1p-40), 2);
  EXPECT_EQ(rounded_to_float(0), 0);
  EXPECT_TRUE(std::signbit(rounded_to_float(-0.0)));
  EXPECT_EQ(rounded_to_float(0.1), static_cast<double>(0.1f));
}

TEST(RoundedToFloat, KeepsTheRangeOfDouble) {
  EXPECT_EQ(rounded_to_float(0x1.000001p300), 0x1p300);
  EXPECT_EQ(rounded_to_float(0x1.000001p-300), 0x1p-300);
  EXPECT_EQ(rounded_to_float(0x1.000003p-1000), 0x1.000004p-1000);
}

TEST(RoundedToFloat, TouchesEveryColumn) {
  Bodies<double> bodies;
  bodies.resize(1);
  for (auto* column : bodies.columns()) (*column)[0] = 0.1;
  const Bodies<double> rounded = rounded_to_float(bodies);
  for (const double value : {rounded.mass[0], rounded.radius[0], rounded.qx[0], rounded.qy[0],
                             rounded.qz[0], rounded.vx[0], rounded.vy[0], rounded.vz[0]}) {
    EXPECT_EQ(value, static_cast<double>(0.1f));
  }
}

}  // namespace
}  // namespace nbody
