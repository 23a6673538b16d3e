#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// The formulas of the handout, word for word. Correct, readable, slow: the baseline of part 1.
// Do not edit it; your own version goes into mine.hpp.
class Naive : public Simulator {
 public:
  explicit Naive(const Problem& problem)
      : G(problem.G), softening(problem.softening), bodies(problem.bodies.size()) {
    const auto& from = problem.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i] = {from.mass[i], from.qx[i], from.qy[i], from.qz[i], from.vx[i],
                   from.vy[i],   from.vz[i], 0,          0,          0};
    }
  }

  // Eq. 1: each pair's force; Eq. 2: their sum; Eq. 3: the acceleration.
  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      bodies[i].ax = 0;
      bodies[i].ay = 0;
      bodies[i].az = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const real dx = bodies[j].qx - bodies[i].qx;
          const real dy = bodies[j].qy - bodies[i].qy;
          const real dz = bodies[j].qz - bodies[i].qz;
          const real distance = std::sqrt(std::pow(dx, real(2)) + std::pow(dy, real(2)) +
                                          std::pow(dz, real(2)) + std::pow(softening, real(2)));
          const real force = G * bodies[i].mass * bodies[j].mass / std::pow(distance, real(2));
          bodies[i].ax += force * (dx / distance) / bodies[i].mass;
          bodies[i].ay += force * (dy / distance) / bodies[i].mass;
          bodies[i].az += force * (dz / distance) / bodies[i].mass;
        }
      }
    }
  }

  // Eq. 7: no body may travel more than 10 % of the way to its nearest neighbour.
  real largest_time_step() override {
    const std::size_t n = bodies.size();
    real smallest = std::numeric_limits<real>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
      real nearest = std::numeric_limits<real>::infinity();
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const real dx = bodies[j].qx - bodies[i].qx;
          const real dy = bodies[j].qy - bodies[i].qy;
          const real dz = bodies[j].qz - bodies[i].qz;
          const real distance =
              std::sqrt(std::pow(dx, real(2)) + std::pow(dy, real(2)) + std::pow(dz, real(2)));
          if (distance < nearest) nearest = distance;
        }
      }
      const real v = std::sqrt(std::pow(bodies[i].vx, real(2)) + std::pow(bodies[i].vy, real(2)) +
                               std::pow(bodies[i].vz, real(2)));
      const real a = std::sqrt(std::pow(bodies[i].ax, real(2)) + std::pow(bodies[i].ay, real(2)) +
                               std::pow(bodies[i].az, real(2)));
      // Eq. 7 in the form without cancellation.
      real dt =
          real(0.2) * nearest / (v + std::sqrt(std::pow(v, real(2)) + real(0.2) * a * nearest));
      if (nearest == 0) dt = 0;  // at rest, Eq. 7 is 0/0
      if (dt < smallest) smallest = dt;
    }
    return smallest;
  }

  // Eq. 5 with the old velocity, then Eq. 4.
  void update_bodies(real dt) override {
    for (auto& body : bodies) {
      body.qx += body.vx * dt + body.ax * std::pow(dt, real(2)) / 2;
      body.qy += body.vy * dt + body.ay * std::pow(dt, real(2)) / 2;
      body.qz += body.vz * dt + body.az * std::pow(dt, real(2)) / 2;
      body.vx += body.ax * dt;
      body.vy += body.ay * dt;
      body.vz += body.az * dt;
    }
  }

  // The two steps of other integrators: v += a dt, and q += v dt.
  void kick(real dt) override {
    for (auto& body : bodies) {
      body.vx += body.ax * dt;
      body.vy += body.ay * dt;
      body.vz += body.az * dt;
    }
  }
  void drift(real dt) override {
    for (auto& body : bodies) {
      body.qx += body.vx * dt;
      body.qy += body.vy * dt;
      body.qz += body.vz * dt;
    }
  }

  void copy_state(Bodies<real>& state) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.qx[i] = bodies[i].qx;
      state.qy[i] = bodies[i].qy;
      state.qz[i] = bodies[i].qz;
      state.vx[i] = bodies[i].vx;
      state.vy[i] = bodies[i].vy;
      state.vz[i] = bodies[i].vz;
    }
  }

  void copy_accelerations(Vectors<real>& accelerations) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      accelerations.x[i] = bodies[i].ax;
      accelerations.y[i] = bodies[i].ay;
      accelerations.z[i] = bodies[i].az;
    }
  }

  // Eq. 1-3 and 8: how fast the accelerations change; only for the Hermite integrator.
  void accelerations_and_jerk(Vectors<real>& a, Vectors<real>& jerk) override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      a.x[i] = a.y[i] = a.z[i] = jerk.x[i] = jerk.y[i] = jerk.z[i] = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const real dx = bodies[j].qx - bodies[i].qx, dvx = bodies[j].vx - bodies[i].vx;
          const real dy = bodies[j].qy - bodies[i].qy, dvy = bodies[j].vy - bodies[i].vy;
          const real dz = bodies[j].qz - bodies[i].qz, dvz = bodies[j].vz - bodies[i].vz;
          const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
          const real pull = G * bodies[j].mass / (r2 * std::sqrt(r2));
          const real approach = 3 * (dx * dvx + dy * dvy + dz * dvz) / r2;
          a.x[i] += pull * dx;
          a.y[i] += pull * dy;
          a.z[i] += pull * dz;
          jerk.x[i] += pull * (dvx - approach * dx);
          jerk.y[i] += pull * (dvy - approach * dy);
          jerk.z[i] += pull * (dvz - approach * dz);
        }
      }
    }
  }

 protected:
  struct Body {
    real mass;
    real qx, qy, qz;  // position
    real vx, vy, vz;  // velocity
    real ax, ay, az;  // acceleration
  };

  real G;
  real softening;
  std::vector<Body> bodies;
};

}  // namespace nbody
