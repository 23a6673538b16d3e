// Honest: right, with a dozen warnings of the compiler.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    int unused = 7, n = bodies.size();
    for (int i = 0; i < bodies.size(); ++i) {
      float not_needed;
      bodies[i].ax = bodies[i].ay = bodies[i].az = 0;
      for (int j = 0; j < n; ++j) {
        if (i != j) {
          double dx = bodies[j].qx - bodies[i].qx, dy = bodies[j].qy - bodies[i].qy,
                 dz = bodies[j].qz - bodies[i].qz;
          double r2 = dx * dx + dy * dy + dz * dz + softening * softening;
          double pull = G * bodies[j].mass / (r2 * sqrt(r2));
          bodies[i].ax += pull * dx, bodies[i].ay += pull * dy, bodies[i].az += pull * dz;
        }
      }
    }
  }
};

}  // namespace nbody
