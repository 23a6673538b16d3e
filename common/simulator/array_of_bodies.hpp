#pragma once

#include <cmath>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// The host's work for bodies in an array of structures: takes them from the problem, moves them for
// other integrators, gives them back. What is left for an implementation is the exercise. For
// another layout of the data see docs/using_the_lab.md.
class ArrayOfBodies : public Simulator {
 public:
  struct Body {
    real mass;
    real qx, qy, qz;  // position
    real vx, vy, vz;  // velocity
    real ax, ay, az;  // acceleration
  };

  explicit ArrayOfBodies(const Problem& problem)
      : G(problem.G), softening(problem.softening), bodies(problem.bodies.size()) {
    const auto& from = problem.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i] = {from.mass[i], from.qx[i], from.qy[i], from.qz[i], from.vx[i],
                   from.vy[i],   from.vz[i], 0,          0,          0};
    }
  }

  // The two steps of other integrators: v += a dt, and q += v dt.
  void kick(real dt) override {
    for (auto& body : bodies) {
      body.vx += body.ax * dt;
      body.vy += body.ay * dt;
      body.vz += body.az * dt;
    }
  }
  void drift(real dt) override {
    for (auto& body : bodies) {
      body.qx += body.vx * dt;
      body.qy += body.vy * dt;
      body.qz += body.vz * dt;
    }
  }

  void copy_state(Bodies<real>& state) const override { copy_state_of(bodies, state); }
  void copy_accelerations(Vectors<real>& accelerations) const override {
    copy_accelerations_of(bodies, accelerations);
  }

 protected:
  static void copy_state_of(const std::vector<Body>& bodies, Bodies<real>& state) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.qx[i] = bodies[i].qx;
      state.qy[i] = bodies[i].qy;
      state.qz[i] = bodies[i].qz;
      state.vx[i] = bodies[i].vx;
      state.vy[i] = bodies[i].vy;
      state.vz[i] = bodies[i].vz;
    }
  }

  static void copy_accelerations_of(const std::vector<Body>& bodies, Vectors<real>& accelerations) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      accelerations.x[i] = bodies[i].ax;
      accelerations.y[i] = bodies[i].ay;
      accelerations.z[i] = bodies[i].az;
    }
  }

  real G;
  real softening;
  std::vector<Body> bodies;
};

}  // namespace nbody
