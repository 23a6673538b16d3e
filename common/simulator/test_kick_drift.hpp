#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "simulator/simulator.hpp"

namespace nbody::test {

// Tests kick() and drift() of any class.

inline Problem small_problem(std::size_t n) {
  Problem problem{{}, real(0.5), real(0.125), {64, 8}};
  problem.bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const real x = static_cast<real>(i);
    problem.bodies.mass[i] = 1 + x;
    problem.bodies.qx[i] = x;
    problem.bodies.qy[i] = x * x / static_cast<real>(n);
    problem.bodies.qz[i] = -x / 2;
    problem.bodies.vx[i] = 1 - x / 8;
    problem.bodies.vy[i] = x / 4;
    problem.bodies.vz[i] = real(0.25);
  }
  return problem;
}

inline void expect_equal(const std::vector<real>& found, const std::vector<real>& expected,
                         const char* what, const std::string& name) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-6 * (1 + std::abs(expected[i])))
        << name << " " << what << " " << i;
  }
}

inline void expect_kick_and_drift(Simulator& simulator, const Problem& problem,
                                  const std::string& name) {
  const std::size_t n = problem.bodies.size();
  simulator.compute_accelerations();
  Vectors<real> a;
  a.resize(n);
  simulator.copy_accelerations(a);
  Bodies<real> expected = problem.bodies, found = problem.bodies;
  const real kick = real(0.125), drift = real(0.5);
  for (std::size_t i = 0; i < n; ++i) {
    expected.vx[i] += a.x[i] * kick;
    expected.vy[i] += a.y[i] * kick;
    expected.vz[i] += a.z[i] * kick;
    expected.qx[i] += expected.vx[i] * drift;
    expected.qy[i] += expected.vy[i] * drift;
    expected.qz[i] += expected.vz[i] * drift;
  }
  simulator.kick(kick);
  simulator.drift(drift);
  simulator.copy_state(found);
  expect_equal(found.vx, expected.vx, "vx", name);
  expect_equal(found.vy, expected.vy, "vy", name);
  expect_equal(found.vz, expected.vz, "vz", name);
  expect_equal(found.qx, expected.qx, "qx", name);
  expect_equal(found.qy, expected.qy, "qy", name);
  expect_equal(found.qz, expected.qz, "qz", name);
}

template <typename Rung>
void expect_kick_and_drift_of(const std::string& name) {
  for (const std::size_t n : {1, 7, 300}) {
    const Problem problem = small_problem(n);
    Rung rung(problem);
    expect_kick_and_drift(rung, problem, name);
  }
}

}  // namespace nbody::test
