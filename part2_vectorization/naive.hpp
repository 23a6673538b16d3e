#pragma once

#include <cmath>
#include <limits>

#include "simulator/structure_of_arrays.hpp"

namespace nbody {

// A good loop of part 1, with a separate array for each number of a body: a structure of arrays
// (structure_of_arrays.hpp). One root and one division per interaction, sums in local variables,
// one number at a time. The baseline of part 2. Do not edit it; your own version goes into
// mine.hpp.
class Naive : public StructureOfArrays {
 public:
  using StructureOfArrays::StructureOfArrays;

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
          const real weight = bodies.mass[j] / (r2 * std::sqrt(r2));
          ax += weight * dx;
          ay += weight * dy;
          az += weight * dz;
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

 protected:
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
};

}  // namespace nbody
