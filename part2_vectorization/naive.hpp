#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// Where part 1 left off, with every number of the bodies in an array of its own: a structure of
// arrays. One root and one division an interaction, sums in local variables, one number at a time.
// The baseline of part 2; never edited.
template <typename T>
class Naive : public Simulator<T> {
 public:
  explicit Naive(const Problem<T>& problem)
      : G(problem.G), softening(problem.softening), bodies(problem.bodies) {
    acceleration.resize(bodies.size());
  }

  // Eq. 1-3.
  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      T ax = T(0), ay = T(0), az = T(0);
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const T dx = bodies.qx[j] - bodies.qx[i];
          const T dy = bodies.qy[j] - bodies.qy[i];
          const T dz = bodies.qz[j] - bodies.qz[i];
          const T r2 = dx * dx + dy * dy + dz * dz + softening * softening;
          const T pull = bodies.mass[j] / (r2 * std::sqrt(r2));
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
  T largest_time_step() override {
    T smallest = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const T nearest = std::sqrt(nearest_neighbour2(i));
      const T v = length(bodies.vx[i], bodies.vy[i], bodies.vz[i]);
      const T a = length(acceleration.x[i], acceleration.y[i], acceleration.z[i]);
      const T dt = T(0.2) * nearest / (v + std::sqrt(v * v + T(0.2) * a * nearest));
      if (dt < smallest) smallest = dt;
    }
    return smallest;
  }

  // Eq. 5 with the old velocity, then Eq. 4.
  void update_bodies(T dt) override {
    move(bodies.qx, bodies.vx, acceleration.x, dt);
    move(bodies.qy, bodies.vy, acceleration.y, dt);
    move(bodies.qz, bodies.vz, acceleration.z, dt);
  }

  void copy_state(Bodies<T>& state) const override { state = bodies; }
  void copy_accelerations(Vectors<T>& accelerations) const override {
    accelerations = acceleration;
  }

 protected:
  static T length(T x, T y, T z) { return std::sqrt(x * x + y * y + z * z); }

  // The square of the distance to the nearest other body.
  virtual T nearest_neighbour2(std::size_t i) const {
    T nearest = std::numeric_limits<T>::infinity();
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (i != j) {
        const T dx = bodies.qx[j] - bodies.qx[i];
        const T dy = bodies.qy[j] - bodies.qy[i];
        const T dz = bodies.qz[j] - bodies.qz[i];
        const T distance2 = dx * dx + dy * dy + dz * dz;
        if (distance2 < nearest) nearest = distance2;
      }
    }
    return nearest;
  }

  static void move(std::vector<T>& q, std::vector<T>& v, const std::vector<T>& a, T dt) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += v[i] * dt + a[i] * dt * dt / T(2);
      v[i] += a[i] * dt;
    }
  }

  T G;
  T softening;
  Bodies<T> bodies;
  Vectors<T> acceleration;
};

}  // namespace nbody
