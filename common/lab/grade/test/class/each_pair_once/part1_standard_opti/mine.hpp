// Honest: each pair once, by Newton's third law.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    for (auto& body : bodies) body.ax = body.ay = body.az = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = i + 1; j < bodies.size(); ++j) attract(bodies[i], bodies[j]);
    }
  }

 private:
  void attract(Body& a, Body& b) const {
    const real dx = b.qx - a.qx;
    const real dy = b.qy - a.qy;
    const real dz = b.qz - a.qz;
    const real inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
    const real pull = G * inverse * inverse * inverse;
    a.ax += pull * b.mass * dx;
    a.ay += pull * b.mass * dy;
    a.az += pull * b.mass * dz;
    b.ax -= pull * a.mass * dx;
    b.ay -= pull * a.mass * dy;
    b.az -= pull * a.mass * dz;
  }
};

}  // namespace nbody
