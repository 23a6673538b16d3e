#include "core/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/conserved.hpp"
#include "core/scenes.hpp"

namespace nbody {
namespace {

struct Body {
  double mass;
  Vector q, v = {};
};

Bodies<double> make_bodies(const std::vector<Body>& list) {
  Bodies<double> bodies;
  for (const Body& body : list) {
    const double values[] = {body.mass, 0,        body.q.x, body.q.y,
                             body.q.z,  body.v.x, body.v.y, body.v.z};
    for (std::size_t c = 0; c < 8; ++c) bodies.columns()[c]->push_back(values[c]);
  }
  return bodies;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

Bodies<double> random_bodies(std::size_t n) { return make_scene("six", n, 1).bodies; }

std::vector<Body> cube(double mass_in_the_centre) {
  std::vector<Body> bodies;
  for (int corner = 0; corner < 8; ++corner) {
    bodies.push_back({1, {1.0 * (corner & 1), 1.0 * (corner >> 1 & 1), 1.0 * (corner >> 2)}});
  }
  if (mass_in_the_centre > 0) bodies.push_back({mass_in_the_centre, {0.5, 0.5, 0.5}});
  return bodies;
}

// What can be computed by hand.
TEST(Accelerations, HaveTheirClosedForms) {
  // To a corner: one neighbour along the edge, two across faces, one across the cube.
  const double c = 1 + 2 / std::sqrt(8.0) + 1 / std::sqrt(27.0);
  struct Row {
    const char* what;
    std::vector<Body> bodies;
    double G, softening;
    std::size_t target;
    Vector acceleration;
    double magnitude;
  };
  const std::vector<Body> pair = {{50, {1, 1, 1}}, {3, {4, 5, 13}}};  // 13 apart
  const double a0 = 2 * 3 / 169.0, a1 = 2 * 50 / 169.0;
  for (const Row& row : {
           Row{"pair", pair, 2, 0, 0, {a0 * 3 / 13, a0 * 4 / 13, a0 * 12 / 13}, a0},
           Row{"the other", pair, 2, 0, 1, {-a1 * 3 / 13, -a1 * 4 / 13, -a1 * 12 / 13}, a1},
           Row{"a single body", {{5, {1, 2, 3}}}, 1, 0, 0, {0, 0, 0}, 0},
           Row{"corner of a cube", cube(0), 1, 0, 0, {c, c, c}, 3 + 3 / 2.0 + 1 / 3.0},
           Row{"the opposite one", cube(0), 1, 0, 7, {-c, -c, -c}, 3 + 3 / 2.0 + 1 / 3.0},
           Row{"centre of a cube", cube(1000), 1, 0, 8, {0, 0, 0}, 8 / 0.75},
           // Distance 3 and softening 4 make 5: a = m 3 / 5^3.
           Row{"softened", {{1, {0, 0, 0}}, {250, {0, 3, 0}}}, 1, 4, 0, {0, 6, 0}, 6},
           Row{"softened at one point", {{1, {2, 2, 2}}, {1, {2, 2, 2}}}, 1, 0.5, 0, {0, 0, 0}, 0},
       }) {
    SCOPED_TRACE(row.what);
    const auto [a, magnitude] =
        reference_accelerations(make_bodies(row.bodies), row.G, row.softening);
    const double tolerance = 1e-15 * row.magnitude;
    EXPECT_NEAR(a.x[row.target], row.acceleration.x, tolerance);
    EXPECT_NEAR(a.y[row.target], row.acceleration.y, tolerance);
    EXPECT_NEAR(a.z[row.target], row.acceleration.z, tolerance);
    EXPECT_NEAR(magnitude[row.target], row.magnitude, tolerance);
  }
}

// The formula once more, one pair after the other in long double.
void expect_plain_sums(const Bodies<double>& b, double G, double softening) {
  const auto result = reference_accelerations(b, G, softening);
  ASSERT_EQ(result.acceleration.size(), b.size());
  long double energy = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    long double x = 0, y = 0, z = 0, magnitude = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (j == i) continue;
      const long double dx = static_cast<long double>(b.qx[j]) - b.qx[i];
      const long double dy = static_cast<long double>(b.qy[j]) - b.qy[i];
      const long double dz = static_cast<long double>(b.qz[j]) - b.qz[i];
      const long double d2 = dx * dx + dy * dy + dz * dz;
      const long double r2 = d2 + static_cast<long double>(softening) * softening;
      const long double scale = G * b.mass[j] / (r2 * std::sqrt(r2));
      x += scale * dx;
      y += scale * dy;
      z += scale * dz;
      magnitude += scale * std::sqrt(d2);
      energy -= G * b.mass[i] * b.mass[j] / std::sqrt(r2) / 2;
    }
    // A pair's share is rounded some ten times by 2^-53; double tolerance of the checker: 1e-13.
    const double tolerance = 5e-15 * static_cast<double>(magnitude);
    EXPECT_NEAR(result.acceleration.x[i], static_cast<double>(x), tolerance);
    EXPECT_NEAR(result.acceleration.y[i], static_cast<double>(y), tolerance);
    EXPECT_NEAR(result.acceleration.z[i], static_cast<double>(z), tolerance);
    EXPECT_NEAR(result.magnitude[i], static_cast<double>(magnitude), tolerance);
  }
  const double expected = static_cast<double>(energy);
  EXPECT_NEAR(potential_energy(b, G, softening), expected, -1e-14 * expected);
}

TEST(Accelerations, EqualPlainSums) {
  for (std::size_t n = 1; n <= 40; ++n) {
    expect_plain_sums(random_bodies(n), 6.67384e-11, 0);
    expect_plain_sums(random_bodies(n), 3, 0.25);
  }
  expect_plain_sums(random_bodies(1021), 1, 0);  // threads share the rows
}

// By a central difference: its error is h^2 times the third derivative, rounding adds 1e-16 / h.
TEST(Jerk, IsTheChangeOfTheAccelerations) {
  const auto bodies = random_bodies(20);
  constexpr double h = 1e-5;
  auto before = bodies, after = bodies;
  Vectors<double> none;
  none.resize(bodies.size());
  reference_update(before, none, -h);
  reference_update(after, none, h);
  const auto a = reference_accelerations(before, 2, 0.25).acceleration;
  const auto b = reference_accelerations(after, 2, 0.25).acceleration;
  const auto jerk = reference_jerk(bodies, 2, 0.25);
  const double scale = std::hypot(jerk.x[13], jerk.y[13], jerk.z[13]);
  EXPECT_NEAR(jerk.x[13], (b.x[13] - a.x[13]) / (2 * h), 1e-7 * scale);
  EXPECT_NEAR(jerk.y[13], (b.y[13] - a.y[13]) / (2 * h), 1e-7 * scale);
  EXPECT_NEAR(jerk.z[13], (b.z[13] - a.z[13]) / (2 * h), 1e-7 * scale);
}

TEST(Update, UsesTheOldVelocityForThePosition) {
  auto bodies = make_bodies({{1, {1, 2, 3}, {2, -4, 8}}});
  reference_update(bodies, {{4}, {16}, {-8}}, /*dt=*/0.5);
  // q + v dt + a dt^2/2 and v + a dt; every number here is exact in binary.
  EXPECT_EQ(bodies, make_bodies({{1, {1 + 1 + 0.5, 2 - 2 + 2, 3 + 4 - 1}, {4, 4, 4}}}));
}

// A body with velocity v and pull a, its neighbours at rest: (-v + sqrt(v^2 + 0.2 a D)) / a.
TEST(TimeStep, IsTheTimeToTravelATenthOfTheDistance) {
  struct Row {
    Vector v, a;
    std::vector<Body> neighbours;
    double dt;
  };
  const Vector zero, along = {3, 4, 12};
  for (const auto& [v, a, neighbours, dt] : {
           Row{along, along, {}, infinity}, Row{zero, zero, {{1, {1, 0, 0}}}, infinity},
           Row{{0, 4, 0}, zero, {{1, {0, 0, 20}}}, 0.5}, Row{zero, {4, 0, 0}, {{1, {0, 0, 20}}}, 1},
           Row{along, zero, {{1, {6, 8, 24}}}, 0.2},
           Row{zero, along, {{1, {6, 8, 24}}}, std::sqrt(0.4)},
           Row{{0, 1, 0}, zero, {{1, {3, 0, 0}}, {1, {9, 0, 0}}, {1, {0, 0, 1}}}, 0.1},
           Row{along, along, {{1, {0, 0, 0}}}, 0},
           Row{zero, zero, {{1, {1, 0, 0}, {0, 0, 5}}}, 0.02},  // the neighbour's step is shorter
       }) {
    std::vector<Body> list = {{1, {0, 0, 0}, v}};
    list.insert(list.end(), neighbours.begin(), neighbours.end());
    Vectors<double> pulls;
    pulls.resize(list.size());
    pulls.x[0] = a.x;
    pulls.y[0] = a.y;
    pulls.z[0] = a.z;
    EXPECT_DOUBLE_EQ(reference_time_step(make_bodies(list), pulls), dt);
    std::swap(list.front(), list.back());
    for (auto* column : {&pulls.x, &pulls.y, &pulls.z}) std::swap(column->front(), column->back());
    EXPECT_DOUBLE_EQ(reference_time_step(make_bodies(list), pulls), dt) << "in another order";
  }
}

// The textbook's form of the root loses all digits where a D is far below v^2.
TEST(TimeStep, SolvesEquation6HoweverSmallTheAcceleration) {
  const auto bodies = make_bodies({{1, {0, 0, 0}, {0, 1, 0}}, {1, {0, 0, 1}}});
  for (double a = 1e-30; a < 1e30; a *= 1000) {
    const double dt = reference_time_step(bodies, {{a, 0}, {0, 0}, {0, 0}});
    EXPECT_NEAR(dt + a * dt * dt / 2, 0.1, 1e-15) << a;
  }
}

TEST(Conserved, AreTheSumsOfTheTextbook) {
  // Total mass and distance 1, so the angular speed is 1 and the energy -m0 m1 / 2.
  const Body heavy = {0.75, {-0.25, 0, 0}, {0, -0.25, 0}},
             light = {0.25, {0.75, 0, 0}, {0, 0.75, 0}};
  // Distances 3, 4 and 5: each pair counts once.
  const Body corner = {6, {0, 0, 0}, {1, 2, 3}}, above = {10, {3, 0, 0}, {0, 0, 1}};
  const Vector zero;
  struct Row {
    const char* what;
    std::vector<Body> bodies;
    double softening, kinetic, potential;
    Vector momentum, angular_momentum;
  };
  for (const Row& row : {
           Row{"circle", {heavy, light}, 0, 0.09375, -0.1875, zero, {0, 0, 0.1875}},
           Row{"triangle", {corner, above, {2, {0, 4, 0}}}, 0, 47, -27, {6, 12, 28}, {0, -30, 0}},
           Row{"softened", {{6, zero}, {10, {0, 0, 3}}}, 4, 0, -12, zero, zero},
           Row{"single", {{2, {1, 2, 3}, {4, 5, 6}}}, 0, 77, 0, {8, 10, 12}, {-6, 12, -6}},
       }) {
    SCOPED_TRACE(row.what);
    const auto bodies = make_bodies(row.bodies);
    EXPECT_DOUBLE_EQ(kinetic_energy(bodies), row.kinetic);
    EXPECT_DOUBLE_EQ(potential_energy(bodies, 1, row.softening), row.potential);
    EXPECT_EQ(momentum(bodies), row.momentum);
    EXPECT_EQ(angular_momentum(bodies), row.angular_momentum);
  }
}

}  // namespace
}  // namespace nbody
