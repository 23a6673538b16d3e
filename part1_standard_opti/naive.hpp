#pragma once

#include <cmath>
#include <limits>

#include "simulator/array_of_bodies.hpp"

namespace nbody {

// The formulas of the handout, word for word, for an array of bodies. Correct, readable, slow: the
// baseline of part 1. Do not edit it; your own version goes into mine.hpp.
class Naive : public ArrayOfBodies {
 public:
  using ArrayOfBodies::ArrayOfBodies;

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
      // Eq. 7 in the form without cancellation; for two bodies at one place it may be 0/0.
      const real reach = v + std::sqrt(std::pow(v, real(2)) + real(0.2) * a * nearest);
      const real dt = nearest > 0 ? real(0.2) * nearest / reach : real(0);
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
};

}  // namespace nbody
