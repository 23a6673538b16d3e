#pragma once

#include <cmath>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// What the small implementations for the tests of counting share: they differ in how they sum, and
// nothing ever moves.
template <typename T>
class Small : public Simulator<T> {
 public:
  explicit Small(const Problem<T>& problem) : G(problem.G), bodies(problem.bodies) {
    acceleration.resize(bodies.size());
  }
  T largest_time_step() override { return T(1); }
  void update_bodies(T) override {}
  void copy_state(Bodies<T>& state) const override { state = bodies; }
  void copy_accelerations(Vectors<T>& to) const override { to = acceleration; }

 protected:
  T G;
  Bodies<T> bodies;
  Vectors<T> acceleration;
};

// A body that is pulled, in registers. Each source: 3 + 2 + 3 add, 3 + 1 + 3 mul, 1 div, 1 sqrt.
template <typename T>
struct Target {
  T x, y, z;
  T ax = T(0), ay = T(0), az = T(0);

  void add(T mass, T from_x, T from_y, T from_z) {
    const T dx = from_x - x, dy = from_y - y, dz = from_z - z;
    const T r2 = dx * dx + dy * dy + dz * dz;
    const T pull = mass / (r2 * std::sqrt(r2));
    ax += pull * dx;
    ay += pull * dy;
    az += pull * dz;
  }
};

}  // namespace nbody
