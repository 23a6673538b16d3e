#include "core/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/test_bodies.hpp"

namespace nbody {
namespace {

using test::make_bodies;
using test::random_bodies;

TEST(Accelerations, two_bodies_attract_with_G_m_over_the_distance_squared) {
  // Distance 13 along (3, 4, 12).
  const auto result =
      reference_accelerations(make_bodies({{50, 1, 1, 1}, {3, 4, 5, 13}}), /*G=*/2, 0);
  const double a0 = 2 * 3 / 169.0, a1 = 2 * 50 / 169.0;
  EXPECT_DOUBLE_EQ(result.acceleration.x[0], a0 * 3 / 13);
  EXPECT_DOUBLE_EQ(result.acceleration.y[0], a0 * 4 / 13);
  EXPECT_DOUBLE_EQ(result.acceleration.z[0], a0 * 12 / 13);
  EXPECT_DOUBLE_EQ(result.acceleration.x[1], -a1 * 3 / 13);
  EXPECT_DOUBLE_EQ(result.acceleration.y[1], -a1 * 4 / 13);
  EXPECT_DOUBLE_EQ(result.acceleration.z[1], -a1 * 12 / 13);
  EXPECT_DOUBLE_EQ(result.magnitude[0], a0);
  EXPECT_DOUBLE_EQ(result.magnitude[1], a1);
}

TEST(Accelerations, a_single_body_feels_nothing) {
  const auto result = reference_accelerations(make_bodies({{5, 1, 2, 3}}), 1, 0);
  EXPECT_EQ(result.acceleration, (Vectors<double>{{0}, {0}, {0}}));
  EXPECT_EQ(result.magnitude, (std::vector<double>{0}));
}

TEST(Accelerations, forces_of_all_bodies_sum_to_zero) {
  auto bodies = random_bodies(200);
  const auto [acceleration, magnitude] = reference_accelerations(bodies, 1, 0);
  double scale = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) scale += bodies.mass[i] * magnitude[i];
  // The sum of m a, as momentum() sums m v: 40000 terms, each rounded a few times by 2^-53.
  bodies.vx = acceleration.x;
  bodies.vy = acceleration.y;
  bodies.vz = acceleration.z;
  EXPECT_LT(test::length(momentum(bodies)), 1e-14 * scale);
}

TEST(Accelerations, the_centre_of_a_cube_feels_nothing_and_a_corner_its_closed_form) {
  Bodies<double> cube = make_bodies({{1, 0, 0, 0},
                                     {1, 1, 0, 0},
                                     {1, 0, 1, 0},
                                     {1, 1, 1, 0},
                                     {1, 0, 0, 1},
                                     {1, 1, 0, 1},
                                     {1, 0, 1, 1},
                                     {1, 1, 1, 1}});
  const auto corners = reference_accelerations(cube, 1, 0);
  // One neighbour along the edge, two across faces, one across the cube.
  const double towards_centre = 1 + 2 / std::sqrt(8.0) + 1 / std::sqrt(27.0);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_DOUBLE_EQ(corners.acceleration.x[i], towards_centre * (cube.qx[i] == 0 ? 1 : -1));
    EXPECT_DOUBLE_EQ(corners.acceleration.y[i], towards_centre * (cube.qy[i] == 0 ? 1 : -1));
    EXPECT_DOUBLE_EQ(corners.acceleration.z[i], towards_centre * (cube.qz[i] == 0 ? 1 : -1));
  }

  for (auto* column : {&cube.qx, &cube.qy, &cube.qz}) column->push_back(0.5);
  cube.mass.push_back(1000);
  const auto with_centre = reference_accelerations(cube, 1, 0);
  EXPECT_NEAR(with_centre.acceleration.x[8], 0, 1e-15);
  EXPECT_NEAR(with_centre.acceleration.y[8], 0, 1e-15);
  EXPECT_NEAR(with_centre.acceleration.z[8], 0, 1e-15);
  EXPECT_DOUBLE_EQ(with_centre.magnitude[8], 8 / 0.75);
}

TEST(Accelerations, grow_like_the_masses_and_not_with_the_own_mass) {
  auto bodies = random_bodies(30);
  const auto before = reference_accelerations(bodies, 1, 0);
  for (double& mass : bodies.mass) mass *= 4;
  const auto after = reference_accelerations(bodies, 1, 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(after.acceleration.x[i], 4 * before.acceleration.x[i]);  // powers of two are exact
  }
  bodies.mass[7] = 1e6;
  EXPECT_EQ(reference_accelerations(bodies, 1, 0).acceleration.x[7], after.acceleration.x[7]);
}

TEST(Accelerations, softening_adds_its_square_to_the_squared_distance) {
  // Distance 3 and softening 4 make 5: a = m 3 / 5^3.
  const auto result =
      reference_accelerations(make_bodies({{1, 0, 0, 0}, {250, 0, 3, 0}}), 1, /*softening=*/4);
  EXPECT_DOUBLE_EQ(result.acceleration.y[0], 250 * 3 / 125.0);
  EXPECT_DOUBLE_EQ(result.acceleration.y[1], -3 / 125.0);
  EXPECT_DOUBLE_EQ(result.magnitude[0], 250 * 3 / 125.0);
}

TEST(Accelerations, softened_bodies_at_one_point_do_not_pull_each_other) {
  const auto result =
      reference_accelerations(make_bodies({{1, 2, 2, 2}, {1, 2, 2, 2}}), 1, /*softening=*/0.5);
  EXPECT_EQ(result.acceleration.x[0], 0);
  EXPECT_EQ(result.magnitude[0], 0);
}

// The formula once more, one pair after the other in long double.
void expect_plain_sums(const Bodies<double>& bodies, double G, double softening) {
  const auto result = reference_accelerations(bodies, G, softening);
  ASSERT_EQ(result.acceleration.size(), bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    long double x = 0, y = 0, z = 0, magnitude = 0;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (j == i) continue;
      const long double dx = static_cast<long double>(bodies.qx[j]) - bodies.qx[i];
      const long double dy = static_cast<long double>(bodies.qy[j]) - bodies.qy[i];
      const long double dz = static_cast<long double>(bodies.qz[j]) - bodies.qz[i];
      const long double d2 = dx * dx + dy * dy + dz * dz;
      const long double r2 = d2 + static_cast<long double>(softening) * softening;
      const long double scale = G * bodies.mass[j] / (r2 * std::sqrt(r2));
      x += scale * dx;
      y += scale * dy;
      z += scale * dz;
      magnitude += scale * std::sqrt(d2);
    }
    // A pair's share is rounded some ten times by 2^-53; double tolerance of the checker: 1e-13.
    const double tolerance = 5e-15 * static_cast<double>(magnitude);
    EXPECT_NEAR(result.acceleration.x[i], static_cast<double>(x), tolerance);
    EXPECT_NEAR(result.acceleration.y[i], static_cast<double>(y), tolerance);
    EXPECT_NEAR(result.acceleration.z[i], static_cast<double>(z), tolerance);
    EXPECT_NEAR(result.magnitude[i], static_cast<double>(magnitude), tolerance);
  }
}

TEST(Accelerations, equal_plain_sums_for_every_small_number_of_bodies) {
  for (std::size_t n = 1; n <= 40; ++n) {
    expect_plain_sums(random_bodies(n), 6.67384e-11, 0);
    expect_plain_sums(random_bodies(n), 3, 0.25);
  }
}

TEST(Accelerations, equal_plain_sums_where_threads_share_the_rows) {
  expect_plain_sums(random_bodies(1021), 1, 0);
}

TEST(Accelerations, of_chosen_rows_equal_those_of_all_bit_for_bit) {
  const auto bodies = random_bodies(300);
  const auto all = reference_accelerations(bodies, 1.5, 0.125);
  const std::vector<std::size_t> rows = {299, 0, 17, 17, 128};
  const auto some = reference_accelerations(bodies, 1.5, 0.125, rows);
  ASSERT_EQ(some.acceleration.size(), rows.size());
  ASSERT_EQ(some.magnitude.size(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(some.acceleration.x[k], all.acceleration.x[rows[k]]);
    EXPECT_EQ(some.acceleration.y[k], all.acceleration.y[rows[k]]);
    EXPECT_EQ(some.acceleration.z[k], all.acceleration.z[rows[k]]);
    EXPECT_EQ(some.magnitude[k], all.magnitude[rows[k]]);
  }
}

TEST(Update, uses_the_old_velocity_for_the_position) {
  auto bodies = make_bodies({{1, 1, 2, 3, 2, -4, 8}});
  reference_update(bodies, {{4}, {16}, {-8}}, /*dt=*/0.5);
  // q + v dt + a dt^2/2 and v + a dt; every number here is exact in binary.
  EXPECT_EQ(bodies, make_bodies({{1, 1 + 1 + 0.5, 2 - 2 + 2, 3 + 4 - 1, 4, 4, 4}}));
}

const double infinity = std::numeric_limits<double>::infinity();
const Vectors<double> nothing_pulls = {{0, 0}, {0, 0}, {0, 0}};

// The step of a body with a neighbour that rests at this distance, under no pull.
double step(double distance, double speed, double acceleration) {
  const auto bodies = make_bodies({{1, 0, 0, 0, 0, speed, 0}, {1, 0, 0, distance}});
  return reference_time_step(bodies, {{acceleration, 0}, {0, 0}, {0, 0}});
}

TEST(TimeStep, is_infinite_where_nothing_limits_it) {
  EXPECT_EQ(reference_time_step(make_bodies({{1, 0, 0, 0, 5, 5, 5}}), {{9}, {9}, {9}}), infinity);
  EXPECT_EQ(step(1, 0, 0), infinity);
}

TEST(TimeStep, without_acceleration_is_a_tenth_of_the_distance_over_the_speed) {
  EXPECT_DOUBLE_EQ(step(20, 4, 0), 0.5);
}

TEST(TimeStep, from_rest_is_the_time_of_free_fall) { EXPECT_DOUBLE_EQ(step(20, 0, 4), 1); }

TEST(TimeStep, takes_speed_and_pull_from_all_three_directions) {
  const auto bodies = make_bodies({{1, 0, 0, 0, 3, 4, 12}, {1, 6, 8, 24}});
  EXPECT_DOUBLE_EQ(reference_time_step(bodies, nothing_pulls), 0.2);  // 26 / 10 / 13
  const auto at_rest = make_bodies({{1, 0, 0, 0}, {1, 6, 8, 24}});
  EXPECT_DOUBLE_EQ(reference_time_step(at_rest, {{3, 0}, {4, 0}, {12, 0}}),
                   std::sqrt(0.2 * 26 / 13));
}

TEST(TimeStep, is_the_textbook_root) {
  for (double a = 1e-6; a < 2e6; a *= 10) {
    const long double v = 1, D = 1, pull = a;
    const long double root = (-v + std::sqrt(v * v + 0.2L * pull * D)) / pull;
    // That form loses as many digits as a D / v^2 is small: here up to six of sixteen.
    EXPECT_NEAR(step(1, 1, a) / static_cast<double>(root), 1, 1e-9) << a;
  }
}

TEST(TimeStep, solves_equation_6_however_small_the_acceleration) {
  for (double a = 1e-30; a < 1e30; a *= 1000) {
    const double dt = step(1, 1, a);
    EXPECT_NEAR(dt + a * dt * dt / 2, 0.1, 1e-15) << a;
  }
}

TEST(TimeStep, looks_at_the_nearest_neighbour_wherever_it_stands_in_the_list) {
  // The moving body is 3 away from the first, 1 from the last.
  auto bodies = make_bodies({{1, 0, 0, 0}, {1, 3, 0, 0, 0, 1, 0}, {1, 9, 0, 0}, {1, 3, 0, 1}});
  const Vectors<double> rest = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  EXPECT_DOUBLE_EQ(reference_time_step(bodies, rest), 0.1);
  bodies.qx[0] = 3.5;
  EXPECT_DOUBLE_EQ(reference_time_step(bodies, rest), 0.05);
}

TEST(TimeStep, is_the_smallest_of_all_bodies) {
  auto bodies = random_bodies(500);
  const Vectors<double> rest = {std::vector<double>(500), std::vector<double>(500),
                                std::vector<double>(500)};
  const double all = reference_time_step(bodies, rest);
  bodies.vx[499] = 1e6;
  EXPECT_LT(reference_time_step(bodies, rest), all / 1000);
  bodies.vx[499] = 0;
  bodies.vx[0] = 1e6;
  EXPECT_LT(reference_time_step(bodies, rest), all / 1000);
}

TEST(TimeStep, of_bodies_at_one_point_is_zero) { EXPECT_EQ(step(0, 0, 0), 0); }

}  // namespace
}  // namespace nbody
