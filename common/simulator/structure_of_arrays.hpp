#pragma once

#include <cmath>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// The host's work for bodies in a structure of arrays: takes them from the problem, moves them for
// other integrators, gives them back. For another layout of the data see docs/using_the_lab.md.
template <typename T>
class StructureOfArraysOf : public SimulatorOf<T> {
 public:
  explicit StructureOfArraysOf(const ProblemOf<T>& problem)
      : G(problem.G), softening(problem.softening), bodies(problem.bodies) {
    acceleration.resize(bodies.size());
  }

  // The two steps of other integrators: v += a dt, and q += v dt.
  void kick(T dt) override {
    add(acceleration.x, dt, bodies.vx);
    add(acceleration.y, dt, bodies.vy);
    add(acceleration.z, dt, bodies.vz);
  }
  void drift(T dt) override {
    add(bodies.vx, dt, bodies.qx);
    add(bodies.vy, dt, bodies.qy);
    add(bodies.vz, dt, bodies.qz);
  }

  void copy_state(Bodies<T>& state) const override { state = bodies; }
  void copy_accelerations(Vectors<T>& accelerations) const override {
    accelerations = acceleration;
  }

 protected:
  static T length(T x, T y, T z) { return std::sqrt(x * x + y * y + z * z); }

  // Eq. 5 with the old velocity, then Eq. 4, in one direction.
  static void move(std::vector<T>& q, std::vector<T>& v, const std::vector<T>& a, T dt) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += v[i] * dt + a[i] * dt * dt / 2;
      v[i] += a[i] * dt;
    }
  }

  static void add(const std::vector<T>& change, T dt, std::vector<T>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += change[i] * dt;
  }

  T G;
  T softening;
  Bodies<T> bodies;         // mass, qx, qy, qz, vx, vy, vz: an array for each number
  Vectors<T> acceleration;  // x, y, z
};

using StructureOfArrays = StructureOfArraysOf<real>;

}  // namespace nbody
