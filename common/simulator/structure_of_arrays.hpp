#pragma once

#include <cmath>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// The host's work for bodies in a structure of arrays: takes them from the problem, moves them for
// other integrators, gives them back.
class ArraysWithoutJerk : public Simulator {
 public:
  explicit ArraysWithoutJerk(const Problem& problem)
      : G(problem.G), softening(problem.softening), bodies(problem.bodies) {
    acceleration.resize(bodies.size());
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

 protected:
  static real length(real x, real y, real z) { return std::sqrt(x * x + y * y + z * z); }

  // Eq. 5 with the old velocity, then Eq. 4, in one direction.
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
  Bodies<real> bodies;         // mass, qx, qy, qz, vx, vy, vz: an array for each number
  Vectors<real> acceleration;  // x, y, z
};

// All that the host needs, with the jerk for the Hermite integrator. For another layout of the data
// see docs/using_the_lab.md.
class StructureOfArrays : public ArraysWithoutJerk {
 public:
  using ArraysWithoutJerk::ArraysWithoutJerk;

  // Eq. 1-3 and 8: how fast the accelerations change.
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
          const real weight = bodies.mass[j] / (r2 * std::sqrt(r2));
          const real approach = 3 * (dx * dvx + dy * dvy + dz * dvz) / r2;
          ax += weight * dx;
          ay += weight * dy;
          az += weight * dz;
          jx += weight * (dvx - approach * dx);
          jy += weight * (dvy - approach * dy);
          jz += weight * (dvz - approach * dz);
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
};

}  // namespace nbody
