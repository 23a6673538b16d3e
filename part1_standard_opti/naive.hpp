#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// The formulas of the handout, word for word. Correct, readable, slow: the baseline of part 1.
// Never edited; your own version goes into mine.hpp.
template <typename T>
class Naive : public Simulator<T> {
 public:
  explicit Naive(const Problem<T>& problem)
      : G(problem.G), softening(problem.softening), bodies(problem.bodies.size()) {
    const auto& from = problem.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i] = {from.mass[i], from.qx[i], from.qy[i], from.qz[i], from.vx[i],
                   from.vy[i],   from.vz[i], T(0),       T(0),       T(0)};
    }
  }

  // Eq. 1: each pair's force; Eq. 2: their sum; Eq. 3: the acceleration.
  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      bodies[i].ax = T(0);
      bodies[i].ay = T(0);
      bodies[i].az = T(0);
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const T dx = bodies[j].qx - bodies[i].qx;
          const T dy = bodies[j].qy - bodies[i].qy;
          const T dz = bodies[j].qz - bodies[i].qz;
          const T distance = std::sqrt(std::pow(dx, T(2)) + std::pow(dy, T(2)) +
                                       std::pow(dz, T(2)) + std::pow(softening, T(2)));
          const T force = G * bodies[i].mass * bodies[j].mass / std::pow(distance, T(2));
          bodies[i].ax += force * (dx / distance) / bodies[i].mass;
          bodies[i].ay += force * (dy / distance) / bodies[i].mass;
          bodies[i].az += force * (dz / distance) / bodies[i].mass;
        }
      }
    }
  }

  // Eq. 7: no body may travel more than 10 % of the way to its nearest neighbour.
  T largest_time_step() override {
    const std::size_t n = bodies.size();
    T smallest = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
      T nearest = std::numeric_limits<T>::infinity();
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const T dx = bodies[j].qx - bodies[i].qx;
          const T dy = bodies[j].qy - bodies[i].qy;
          const T dz = bodies[j].qz - bodies[i].qz;
          const T distance =
              std::sqrt(std::pow(dx, T(2)) + std::pow(dy, T(2)) + std::pow(dz, T(2)));
          if (distance < nearest) nearest = distance;
        }
      }
      const T v = std::sqrt(std::pow(bodies[i].vx, T(2)) + std::pow(bodies[i].vy, T(2)) +
                            std::pow(bodies[i].vz, T(2)));
      const T a = std::sqrt(std::pow(bodies[i].ax, T(2)) + std::pow(bodies[i].ay, T(2)) +
                            std::pow(bodies[i].az, T(2)));
      // The root of Eq. 7 in the form that does not cancel.
      const T dt = T(0.2) * nearest / (v + std::sqrt(std::pow(v, T(2)) + T(0.2) * a * nearest));
      if (dt < smallest) smallest = dt;
    }
    return smallest;
  }

  // Eq. 5 with the old velocity, then Eq. 4.
  void update_bodies(T dt) override {
    for (auto& body : bodies) {
      body.qx += body.vx * dt + body.ax * std::pow(dt, T(2)) / T(2);
      body.qy += body.vy * dt + body.ay * std::pow(dt, T(2)) / T(2);
      body.qz += body.vz * dt + body.az * std::pow(dt, T(2)) / T(2);
      body.vx += body.ax * dt;
      body.vy += body.ay * dt;
      body.vz += body.az * dt;
    }
  }

  void copy_state(Bodies<T>& state) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.qx[i] = bodies[i].qx;
      state.qy[i] = bodies[i].qy;
      state.qz[i] = bodies[i].qz;
      state.vx[i] = bodies[i].vx;
      state.vy[i] = bodies[i].vy;
      state.vz[i] = bodies[i].vz;
    }
  }

  void copy_accelerations(Vectors<T>& accelerations) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      accelerations.x[i] = bodies[i].ax;
      accelerations.y[i] = bodies[i].ay;
      accelerations.z[i] = bodies[i].az;
    }
  }

 protected:
  struct Body {
    T mass;
    T qx, qy, qz;  // position
    T vx, vy, vz;  // velocity
    T ax, ay, az;  // acceleration
  };

  T G;
  T softening;
  std::vector<Body> bodies;
};

}  // namespace nbody
