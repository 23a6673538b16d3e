#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "check/mistakes/other_precision.hpp"
#include "check/zoo/plain.hpp"

namespace nbody {

// Bodies and accelerations in a form of their own.

// An array of structures instead of a structure of arrays; only the time step comes from the base
// class; the state is copied out for it.
class VectorOfStructs : public Simulator {
 public:
  explicit VectorOfStructs(const Problem& problem) : problem(problem) {
    const Bodies<real>& from = problem.bodies;
    for (std::size_t i = 0; i < from.size(); ++i) {
      bodies.push_back({from.mass[i],
                        {from.qx[i], from.qy[i], from.qz[i]},
                        {from.vx[i], from.vy[i], from.vz[i]},
                        {}});
    }
  }

  void compute_accelerations() override {
    const real softening2 = problem.softening * problem.softening;
    for (Body& target : bodies) {
      target.acceleration = {};
      for (const Body& source : bodies) {
        if (&source == &target) continue;
        Triple d = source.position;
        d += target.position * real(-1);
        const real r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening2;
        target.acceleration += d * (real(1) / std::sqrt(r2)) * (problem.G * source.mass / r2);
      }
    }
  }

  real largest_time_step() override {
    copy_state(problem.bodies);
    Plain plain(problem);
    plain.compute_accelerations();
    return plain.largest_time_step();
  }

  void update_bodies(real dt) override {
    for (Body& body : bodies) {
      body.position += body.velocity * dt;
      body.position += body.acceleration * (dt * dt / 2);
      body.velocity += body.acceleration * dt;
    }
  }

  void copy_state(Bodies<real>& state) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.qx[i] = bodies[i].position.x;
      state.qy[i] = bodies[i].position.y;
      state.qz[i] = bodies[i].position.z;
      state.vx[i] = bodies[i].velocity.x;
      state.vy[i] = bodies[i].velocity.y;
      state.vz[i] = bodies[i].velocity.z;
    }
  }

  void copy_accelerations(Vectors<real>& accelerations) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      accelerations.x[i] = bodies[i].acceleration.x;
      accelerations.y[i] = bodies[i].acceleration.y;
      accelerations.z[i] = bodies[i].acceleration.z;
    }
  }

 private:
  struct Body {
    real mass;
    Triple position, velocity, acceleration;
  };

  Problem problem;
  std::vector<Body> bodies;
};

// T goes in and out, but state and sums are double inside. Answered states are rounded; the next
// step starts from the unrounded one.
class DoubleInside : public Simulator {
 public:
  explicit DoubleInside(const Problem& problem) : inside(check::in_precision<double>(problem)) {}

  void compute_accelerations() override { inside.compute_accelerations(); }
  real largest_time_step() override { return static_cast<real>(inside.largest_time_step()); }
  void update_bodies(real dt) override { inside.update_bodies(static_cast<double>(dt)); }

  void copy_state(Bodies<real>& state) const override {
    Bodies<double> wide;
    inside.copy_state(wide);
    state.qx = check::in_precision<real>(wide.qx);
    state.qy = check::in_precision<real>(wide.qy);
    state.qz = check::in_precision<real>(wide.qz);
    state.vx = check::in_precision<real>(wide.vx);
    state.vy = check::in_precision<real>(wide.vy);
    state.vz = check::in_precision<real>(wide.vz);
  }
  void copy_accelerations(Vectors<real>& accelerations) const override {
    Vectors<double> wide;
    inside.copy_accelerations(wide);
    accelerations = check::in_precision<real>(wide);
  }

 private:
  PlainOf<double> inside;
};

}  // namespace nbody
