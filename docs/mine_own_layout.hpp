#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// An array of structures, with the accelerations in an array of their own: a class with a data
// layout of its own, as docs/using_the_lab.md (Another data layout) describes it.
class Mine : public Simulator {
 public:
  explicit Mine(const Problem& problem)
      : G(problem.G), softening(problem.softening), acceleration(problem.bodies.size()) {
    const auto& from = problem.bodies;
    for (std::size_t i = 0; i < from.size(); ++i) {
      bodies.push_back({from.mass[i],
                        {from.qx[i], from.qy[i], from.qz[i]},
                        {from.vx[i], from.vy[i], from.vz[i]}});
    }
  }

  void compute_accelerations() override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Vector sum{0, 0, 0};
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (i != j) {
          const Vector d = distance(i, j);
          const real r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening * softening;
          add(d, bodies[j].mass / (r2 * std::sqrt(r2)), sum);
        }
      }
      acceleration[i] = {G * sum.x, G * sum.y, G * sum.z};
    }
  }

  real largest_time_step() override {
    real smallest = std::numeric_limits<real>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      real nearest = std::numeric_limits<real>::infinity();
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (i != j && length(distance(i, j)) < nearest) nearest = length(distance(i, j));
      }
      const real v = length(bodies[i].v), a = length(acceleration[i]);
      const real dt = real(0.2) * nearest / (v + std::sqrt(v * v + real(0.2) * a * nearest));
      smallest = std::min(smallest, nearest > 0 ? dt : real(0));  // coincident bodies: not 0/0
    }
    return smallest;
  }

  void update_bodies(real dt) override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      add(bodies[i].v, dt, bodies[i].q);
      add(acceleration[i], dt * dt / 2, bodies[i].q);
      add(acceleration[i], dt, bodies[i].v);
    }
  }

  void kick(real dt) override {
    for (std::size_t i = 0; i < bodies.size(); ++i) add(acceleration[i], dt, bodies[i].v);
  }
  void drift(real dt) override {
    for (Body& body : bodies) add(body.v, dt, body.q);
  }

  void copy_state(Bodies<real>& state) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.qx[i] = bodies[i].q.x;
      state.qy[i] = bodies[i].q.y;
      state.qz[i] = bodies[i].q.z;
      state.vx[i] = bodies[i].v.x;
      state.vy[i] = bodies[i].v.y;
      state.vz[i] = bodies[i].v.z;
    }
  }
  void copy_accelerations(Vectors<real>& to) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      to.x[i] = acceleration[i].x;
      to.y[i] = acceleration[i].y;
      to.z[i] = acceleration[i].z;
    }
  }

 private:
  struct Vector {
    real x, y, z;
  };
  struct Body {
    real mass;
    Vector q, v;
  };

  static void add(const Vector& what, real factor, Vector& to) {
    to.x += what.x * factor;
    to.y += what.y * factor;
    to.z += what.z * factor;
  }
  static real length(const Vector& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }
  Vector distance(std::size_t i, std::size_t j) const {
    const Vector &from = bodies[i].q, &to = bodies[j].q;
    return {to.x - from.x, to.y - from.y, to.z - from.z};
  }

  real G, softening;
  std::vector<Body> bodies;
  std::vector<Vector> acceleration;
};

}  // namespace nbody
