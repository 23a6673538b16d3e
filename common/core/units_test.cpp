#include "core/units.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/random.hpp"
#include "core/scenes.hpp"

namespace nbody {
namespace {

constexpr double SI_G = 6.67384e-11;

// Masses, extent and speed of any size, so that every exponent occurs with both signs.
Bodies<double> scaled_bodies(Random& random) {
  Bodies<double> bodies = make_scene("six", 5, 1).bodies;
  const auto columns = bodies.columns();
  int exponents[8];  // as the columns: mass, radius, positions, velocities
  for (int& exponent : exponents) exponent = static_cast<int>(random.uniform(-100, 100));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (double& value : *columns[c]) value = std::ldexp(value, exponents[c]);
  }
  return bodies;
}

TEST(Units, BringEverythingNearOneAndBackBitForBit) {
  Random random(1);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const Bodies<double> si = scaled_bodies(random);
    const double G = std::ldexp(1 + random.uniform(), repeat / 5 - 100);
    const Units units = Units::for_bodies(si, G);
    const Bodies<double> working = units.to_working(si);
    const Units again = Units::for_bodies(working, units.to_G(G));
    ASSERT_EQ((std::array{again.length, again.mass, again.time}), (std::array{0, 0, 0}));
    ASSERT_EQ(units.to_si(working), si);
    ASSERT_EQ(units.time_to_si(units.to_time(3601.7)), 3601.7);
  }
}

// The formulas give the same physics in both units: the pull of two bodies, how it changes, and a
// velocity as length over time; all exact because the factors are powers of two.
TEST(Units, AreConsistent) {
  Random random(2);
  const Bodies<double> si = scaled_bodies(random);
  const Units units = Units::for_bodies(si, SI_G);
  const Bodies<double> working = units.to_working(si);
  const auto pull = [](const Bodies<double>& bodies, double G) {
    const double dx = bodies.qx[1] - bodies.qx[0];
    return G * bodies.mass[0] / (dx * dx);
  };
  const double a = pull(working, units.to_G(SI_G)), dt = 3600;
  EXPECT_EQ(units.acceleration_to_si({{a}, {0}, {0}}).x[0], pull(si, SI_G));
  EXPECT_EQ(units.to_length(si.vy[1] * dt), working.vy[1] * units.to_time(dt));
}

TEST(Units, HaveTheseExponents) {
  const auto exponents = [](double mass, double extent, double G) {
    const Units units = Units::for_bodies({{mass}, {0}, {0}, {0}, {extent}, {0}, {0}, {0}}, G);
    return std::array{units.mass, units.length, units.time};
  };
  using Expected = std::array<int, 3>;
  EXPECT_EQ(exponents(1.9891e30, -4.4983e12, SI_G), (Expected{101, 43, 31}));  // Sun and Neptune
  EXPECT_EQ(exponents(1.9891e30, -4.4983e12, 0), (Expected{101, 43, 0}));
  EXPECT_EQ(exponents(0.75, 0, 2), (Expected{0, 0, -1}));  // rounded down
  EXPECT_EQ(exponents(0.75, 0, 0.5), (Expected{0, 0, 0}));
  EXPECT_EQ(exponents(0, 0, 0), (Expected{0, 0, 0}));
}

TEST(RoundedToFloat, KeepsTwentyFourBitsAndTheRangeOfDouble) {
  const std::pair<double, double> rows[] = {
      {1 + 0x1p-23, 1 + 0x1p-23},
      {1 + 0x1p-24, 1},  // a tie, to even
      {1 + 0x3p-24, 1 + 0x1p-22},
      {-(1 + 0x1.8p-24), -(1 + 0x1p-23)},
      {2 - 0x1p-40, 2},
      {-0.0, -0.0},
      {0.1, static_cast<double>(0.1f)},
      {0x1.000001p300, 0x1p300},
      {0x1.000003p-1000, 0x1.000004p-1000},
  };
  for (const auto& [value, rounded] : rows) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(rounded_to_float(value)),
              std::bit_cast<std::uint64_t>(rounded))
        << value;
  }
}

}  // namespace
}  // namespace nbody
