#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "simulator/simulator.hpp"

namespace nbody::test {

// Tests kick() and drift() of any class.
template <typename Rung>
void expect_kick_and_drift_of(const std::string& name) {
  for (const std::size_t n : {1, 7, 300}) {
    Problem problem{{}, real(0.5), real(0.125), {64, 8}};
    Bodies<real>& bodies = problem.bodies;
    bodies.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const real x = static_cast<real>(i);
      bodies.mass[i] = 1 + x;
      bodies.qx[i] = x;
      bodies.qy[i] = x * x / static_cast<real>(n);
      bodies.qz[i] = -x / 2;
      bodies.vx[i] = 1 - x / 8;
      bodies.vy[i] = x / 4;
      bodies.vz[i] = real(0.25);
    }
    Rung rung(problem);
    rung.compute_accelerations();
    Vectors<real> a;
    a.resize(n);
    rung.copy_accelerations(a);
    Bodies<real> found = bodies;
    const real kick = real(0.125), drift = real(0.5);
    rung.kick(kick);
    rung.drift(drift);
    rung.copy_state(found);
    const auto expect_near = [&](real now, real expected, const char* what, std::size_t i) {
      EXPECT_NEAR(now, expected, 1e-6 * (1 + std::abs(expected))) << name << " " << what << i;
    };
    for (std::size_t i = 0; i < n; ++i) {
      const real vx = bodies.vx[i] + a.x[i] * kick, vy = bodies.vy[i] + a.y[i] * kick,
                 vz = bodies.vz[i] + a.z[i] * kick;
      expect_near(found.vx[i], vx, "vx", i);
      expect_near(found.vy[i], vy, "vy", i);
      expect_near(found.vz[i], vz, "vz", i);
      expect_near(found.qx[i], bodies.qx[i] + vx * drift, "qx", i);
      expect_near(found.qy[i], bodies.qy[i] + vy * drift, "qy", i);
      expect_near(found.qz[i], bodies.qz[i] + vz * drift, "qz", i);
    }
  }
}

}  // namespace nbody::test
