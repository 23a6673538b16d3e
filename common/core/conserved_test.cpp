#include "core/conserved.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/reference.hpp"
#include "core/test_bodies.hpp"

namespace nbody {
namespace {

using test::make_bodies;
using test::random_bodies;

// Circles about the common centre: G = 1, total mass 1, distance 1, so the angular speed is 1.
Bodies<double> circular_orbit() {
  return make_bodies({{0.75, -0.25, 0, 0, 0, -0.25, 0}, {0.25, 0.75, 0, 0, 0, 0.75, 0}});
}

double energy(const Bodies<double>& bodies) {
  return kinetic_energy(bodies) + potential_energy(bodies, 1, 0);
}

Bodies<double> after(double time, int steps) {
  auto bodies = circular_orbit();
  for (int step = 0; step < steps; ++step) {
    reference_update(bodies, reference_accelerations(bodies, 1, 0).acceleration, time / steps);
  }
  return bodies;
}

TEST(Energy, kinetic_is_half_m_v_squared) {
  EXPECT_EQ(kinetic_energy(make_bodies({{2, 9, 9, 9, 3, 4, 12}, {4, 1, 0, 0, 1, 0, 0}})), 171);
}

TEST(Energy, potential_counts_each_pair_once) {
  // Distances 3, 4 and 5.
  const auto bodies = make_bodies({{6, 0, 0, 0}, {10, 3, 0, 0}, {2, 0, 4, 0}});
  EXPECT_DOUBLE_EQ(potential_energy(bodies, 2, 0), -2 * (60 / 3.0 + 12 / 4.0 + 20 / 5.0));
  EXPECT_EQ(potential_energy(make_bodies({{6, 1, 1, 1}}), 2, 0), 0);
}

TEST(Energy, potential_is_softened_like_the_force) {
  const auto bodies = make_bodies({{6, 0, 0, 0}, {10, 0, 0, 3}});
  EXPECT_DOUBLE_EQ(potential_energy(bodies, 1, /*softening=*/4), -60 / 5.0);
  // Where there is a force, the potential falls along it: compare the slope with m a.
  const double h = 1e-6;
  const auto farther = make_bodies({{6, 0, 0, 0}, {10, 0, 0, 3 + h}});
  const auto nearer = make_bodies({{6, 0, 0, 0}, {10, 0, 0, 3 - h}});
  const double slope = (potential_energy(farther, 1, 4) - potential_energy(nearer, 1, 4)) / (2 * h);
  EXPECT_NEAR(-slope, 10 * reference_accelerations(bodies, 1, 4).acceleration.z[1], 1e-8);
}

TEST(Energy, potential_of_many_equals_the_plain_sum) {
  const auto bodies = random_bodies(301);
  long double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const long double dx = bodies.qx[i] - bodies.qx[j], dy = bodies.qy[i] - bodies.qy[j],
                        dz = bodies.qz[i] - bodies.qz[j];
      sum -= bodies.mass[i] * bodies.mass[j] / std::sqrt(dx * dx + dy * dy + dz * dz);
    }
  }
  EXPECT_NEAR(potential_energy(bodies, 1, 0) / static_cast<double>(sum), 1, 1e-14);
}

TEST(Energy, of_a_bound_pair_is_minus_G_m_m_over_twice_the_axis) {
  EXPECT_DOUBLE_EQ(energy(circular_orbit()), -0.75 * 0.25 / 2);
}

TEST(Momentum, is_the_sum_of_m_v) {
  EXPECT_EQ(momentum(make_bodies({{2, 9, 9, 9, 1, 2, 3}, {10, 0, 0, 0, -1, 1, 0.5}})),
            (Vector{-8, 14, 11}));
}

TEST(AngularMomentum, is_the_sum_of_m_q_cross_v) {
  EXPECT_EQ(angular_momentum(make_bodies({{2, 1, 2, 3, 4, 5, 6}, {1, 0, 1, 0, 0, 0, 1}})),
            (Vector{2 * (2 * 6 - 3 * 5) + 1, 2 * (3 * 4 - 1 * 6), 2 * (1 * 5 - 2 * 4)}));
}

TEST(AngularMomentum, of_a_circular_orbit_is_reduced_mass_times_r_squared_omega) {
  EXPECT_EQ(angular_momentum(circular_orbit()), (Vector{0, 0, 0.75 * 0.25}));
}

// On a circle each step adds m (a dt)^2/2 to the energy, and there are time / dt steps: first
// order.
TEST(Integrator, energy_error_halves_with_the_time_step) {
  const double exact = energy(circular_orbit());
  const double coarse = energy(after(1, 512)) - exact;
  const double fine = energy(after(1, 1024)) - exact;
  const double finest = energy(after(1, 2048)) - exact;
  EXPECT_GT(fine, 0);  // the orbit gains energy and widens
  EXPECT_NEAR(coarse / fine, 2, 0.02);
  EXPECT_NEAR(fine / finest, 2, 0.01);
}

TEST(Integrator, position_error_halves_with_the_time_step) {
  const auto error = [](int steps) {
    const auto bodies = after(1, steps);
    return std::hypot(bodies.qx[1] - 0.75 * std::cos(1.0), bodies.qy[1] - 0.75 * std::sin(1.0));
  };
  EXPECT_LT(error(1024), 1e-3);
  EXPECT_NEAR(error(1024) / error(2048), 2, 0.02);
}

TEST(Integrator, keeps_momentum_to_rounding) {
  auto bodies = random_bodies(50);
  const Vector before = momentum(bodies);
  for (int step = 0; step < 100; ++step) {
    reference_update(bodies, reference_accelerations(bodies, 1, 0.1).acceleration, 1e-3);
  }
  EXPECT_LT(change(momentum(bodies), before, 1), 1e-12);
}

}  // namespace
}  // namespace nbody
