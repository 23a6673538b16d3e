#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "physics/reference.hpp"
#include "physics/test_bodies.hpp"

namespace nbody {
namespace {

using test::make_bodies;

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
  auto bodies = test::random_bodies(500);
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
