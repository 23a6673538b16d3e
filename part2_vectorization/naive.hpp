#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// A good loop of part 1, with a separate array for each number of a body: a structure of arrays.
// One root and one division per interaction, sums in local variables, one number at a time. The
// baseline of part 2: do not edit it.
class Naive : public Simulator {
 public:
  explicit Naive(const Problem& problem)
      : G(problem.G), softening(problem.softening), bodies(problem.bodies) {
    acceleration.resize(bodies.size());
  }

  // Eq. 1-3.
  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      real ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const real dx = bodies.qx[j] - bodies.qx[i];
          const real dy = bodies.qy[j] - bodies.qy[i];
          const real dz = bodies.qz[j] - bodies.qz[i];
          const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
          const real pull = bodies.mass[j] / (r2 * std::sqrt(r2));
          ax += pull * dx;
          ay += pull * dy;
          az += pull * dz;
        }
      }
      acceleration.x[i] = G * ax;
      acceleration.y[i] = G * ay;
      acceleration.z[i] = G * az;
    }
  }

  // Eq. 7: no body may travel more than 10 % of the way to its nearest neighbour.
  real largest_time_step() override {
    real smallest = std::numeric_limits<real>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const real nearest = std::sqrt(nearest_neighbour2(i));
      const real v = length(bodies.vx[i], bodies.vy[i], bodies.vz[i]);
      const real a = length(acceleration.x[i], acceleration.y[i], acceleration.z[i]);
      real dt = real(0.2) * nearest / (v + std::sqrt(v * v + real(0.2) * a * nearest));
      if (nearest == 0) dt = 0;  // at rest, Eq. 7 is 0/0
      if (dt < smallest) smallest = dt;
    }
    return smallest;
  }

  // Eq. 5 with the old velocity, then Eq. 4.
  void update_bodies(real dt) override {
    move(bodies.qx, bodies.vx, acceleration.x, dt);
    move(bodies.qy, bodies.vy, acceleration.y, dt);
    move(bodies.qz, bodies.vz, acceleration.z, dt);
  }

  // The two steps of other integrators: v += a dt, and q += v dt.
  void kick(real dt) override {
    add(acceleration.x, dt, bodies.vx);
    add(acceleration.y, dt, bodies.vy);
    add(acceleration.z, dt, bodies.vz);
  }
  void drift(real dt) override {
    add(bodies.vx, dt, bodies.qx);
    add(bodies.vy, dt, bodies.qy);
    add(bodies.vz, dt, bodies.qz);
  }

  void copy_state(Bodies<real>& state) const override { state = bodies; }
  void copy_accelerations(Vectors<real>& accelerations) const override {
    accelerations = acceleration;
  }

  // Eq. 1-3 and 8: how fast the accelerations change; only for the Hermite integrator.
  void accelerations_and_jerk(Vectors<real>& a, Vectors<real>& jerk) override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      real ax = 0, ay = 0, az = 0, jx = 0, jy = 0, jz = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const real dx = bodies.qx[j] - bodies.qx[i], dvx = bodies.vx[j] - bodies.vx[i];
          const real dy = bodies.qy[j] - bodies.qy[i], dvy = bodies.vy[j] - bodies.vy[i];
          const real dz = bodies.qz[j] - bodies.qz[i], dvz = bodies.vz[j] - bodies.vz[i];
          const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
          const real pull = bodies.mass[j] / (r2 * std::sqrt(r2));
          const real approach = 3 * (dx * dvx + dy * dvy + dz * dvz) / r2;
          ax += pull * dx;
          ay += pull * dy;
          az += pull * dz;
          jx += pull * (dvx - approach * dx);
          jy += pull * (dvy - approach * dy);
          jz += pull * (dvz - approach * dz);
        }
      }
      a.x[i] = G * ax;
      a.y[i] = G * ay;
      a.z[i] = G * az;
      jerk.x[i] = G * jx;
      jerk.y[i] = G * jy;
      jerk.z[i] = G * jz;
    }
  }

 protected:
  static real length(real x, real y, real z) { return std::sqrt(x * x + y * y + z * z); }

  // The square of the distance to the nearest other body.
  virtual real nearest_neighbour2(std::size_t i) const {
    real nearest = std::numeric_limits<real>::infinity();
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (i != j) {
        const real dx = bodies.qx[j] - bodies.qx[i];
        const real dy = bodies.qy[j] - bodies.qy[i];
        const real dz = bodies.qz[j] - bodies.qz[i];
        const real distance2 = dx * dx + dy * dy + dz * dz;
        if (distance2 < nearest) nearest = distance2;
      }
    }
    return nearest;
  }

  static void move(std::vector<real>& q, std::vector<real>& v, const std::vector<real>& a,
                   real dt) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += v[i] * dt + a[i] * dt * dt / 2;
      v[i] += a[i] * dt;
    }
  }

  static void add(const std::vector<real>& change, real dt, std::vector<real>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += change[i] * dt;
  }

  real G;
  real softening;
  Bodies<real> bodies;
  Vectors<real> acceleration;
};

}  // namespace nbody
