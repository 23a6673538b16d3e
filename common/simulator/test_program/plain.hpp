#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulator/simulator.hpp"

namespace nbody {

// A small implementation for the tests of everything around implementations. In double and in SI
// units it computes what physics/reference.hpp computes, but for rounding. A template, since the
// host is tested with both number types in one program.
template <typename T>
class Plain : public SimulatorOf<T> {
 public:
  explicit Plain(const ProblemOf<T>& problem)
      : G_(problem.G), softening2_(problem.softening * problem.softening), bodies_(problem.bodies) {
    acceleration_.resize(bodies_.size());
  }

  void compute_accelerations() override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      T ax = T(0), ay = T(0), az = T(0);
      for (std::size_t j = 0; j < bodies_.size(); ++j) {
        if (i == j) continue;
        const T dx = bodies_.qx[j] - bodies_.qx[i];
        const T dy = bodies_.qy[j] - bodies_.qy[i];
        const T dz = bodies_.qz[j] - bodies_.qz[i];
        const T r2 = dx * dx + dy * dy + dz * dz + softening2_;
        const T pull = G_ * bodies_.mass[j] / r2 / std::sqrt(r2);
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
      }
      acceleration_.x[i] = ax;
      acceleration_.y[i] = ay;
      acceleration_.z[i] = az;
    }
  }

  T largest_time_step() override {
    T smallest = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      for (std::size_t j = 0; j < bodies_.size(); ++j) {
        if (i != j) smallest = std::min(smallest, time_to_approach(i, j));
      }
    }
    return smallest;
  }

  void update_bodies(T dt) override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      bodies_.qx[i] += bodies_.vx[i] * dt + acceleration_.x[i] * dt * dt / T(2);
      bodies_.qy[i] += bodies_.vy[i] * dt + acceleration_.y[i] * dt * dt / T(2);
      bodies_.qz[i] += bodies_.vz[i] * dt + acceleration_.z[i] * dt * dt / T(2);
      bodies_.vx[i] += acceleration_.x[i] * dt;
      bodies_.vy[i] += acceleration_.y[i] * dt;
      bodies_.vz[i] += acceleration_.z[i] * dt;
    }
  }

  void kick(T dt) override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      bodies_.vx[i] += acceleration_.x[i] * dt;
      bodies_.vy[i] += acceleration_.y[i] * dt;
      bodies_.vz[i] += acceleration_.z[i] * dt;
    }
  }
  void drift(T dt) override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      bodies_.qx[i] += bodies_.vx[i] * dt;
      bodies_.qy[i] += bodies_.vy[i] * dt;
      bodies_.qz[i] += bodies_.vz[i] * dt;
    }
  }

  void copy_state(Bodies<T>& state) const override { state = bodies_; }
  void copy_accelerations(Vectors<T>& accelerations) const override {
    accelerations = acceleration_;
  }

 private:
  // Eq. 7 for body i and one neighbour j.
  T time_to_approach(std::size_t i, std::size_t j) const {
    const T distance = std::hypot(bodies_.qx[j] - bodies_.qx[i], bodies_.qy[j] - bodies_.qy[i],
                                  bodies_.qz[j] - bodies_.qz[i]);
    const T v = std::hypot(bodies_.vx[i], bodies_.vy[i], bodies_.vz[i]);
    const T a = std::hypot(acceleration_.x[i], acceleration_.y[i], acceleration_.z[i]);
    return T(0.2) * distance / (v + std::sqrt(v * v + T(0.2) * a * distance));
  }

  T G_, softening2_;
  Bodies<T> bodies_;
  Vectors<T> acceleration_;
};

}  // namespace nbody
