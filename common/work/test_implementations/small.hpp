#pragma once

#include <cmath>

#include "simulator/simulator.hpp"

namespace nbody {

// A body that is pulled, in registers. Each source: 3 + 2 + 3 add, 3 + 1 + 3 mul, 1 div, 1 sqrt.
struct Target {
  real x, y, z;
  real ax = 0, ay = 0, az = 0;

  void add(real mass, real from_x, real from_y, real from_z) {
    const real dx = from_x - x, dy = from_y - y, dz = from_z - z;
    const real r2 = dx * dx + dy * dy + dz * dz;
    const real weight = mass / (r2 * std::sqrt(r2));
    ax += weight * dx;
    ay += weight * dy;
    az += weight * dz;
  }
};

// What the small implementations for the tests of counting share: they differ in how they sum, and
// nothing ever moves.
class Small : public Simulator {
 public:
  explicit Small(const Problem& problem) : G(problem.G), bodies(problem.bodies) {
    acceleration.resize(bodies.size());
  }
  real largest_time_step() override { return 1; }
  void update_bodies(real) override {}
  void copy_state(Bodies<real>& state) const override { state = bodies; }
  void copy_accelerations(Vectors<real>& to) const override { to = acceleration; }

 protected:
  Target target(std::size_t i) const { return {bodies.qx[i], bodies.qy[i], bodies.qz[i]}; }
  // All j < sources pull on each body i, but for j = i: pull(target, j).
  template <typename Pull>
  void for_all_pairs(std::size_t sources, const Pull& pull) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Target pulled = target(i);
      for (std::size_t j = 0; j < sources; ++j) {
        if (j != i) pull(pulled, j);
      }
      store(i, pulled);
    }
  }
  void add(Target& pulled, std::size_t j) const {
    pulled.add(bodies.mass[j], bodies.qx[j], bodies.qy[j], bodies.qz[j]);
  }
  void store(std::size_t i, const Target& pulled) {
    acceleration.x[i] = G * pulled.ax;
    acceleration.y[i] = G * pulled.ay;
    acceleration.z[i] = G * pulled.az;
  }

  real G;
  Bodies<real> bodies;
  Vectors<real> acceleration;
};

}  // namespace nbody
