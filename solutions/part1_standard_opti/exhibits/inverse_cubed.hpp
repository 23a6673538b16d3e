#pragma once

#include "../../../part1_standard_opti/naive.hpp"

namespace nbody {

// Exhibit: a formula that looks better and loses.
// Problem: locals divides by r^3, after a root and a product.
// Idea: 1/r once, then its cube, as books suggest for the fast 1/sqrt of GPUs and vector units.
// Predicted: no loss, since it is one root and one division either way. Measured: 0.86 x locals.
// Why: two more products. The obvious cause, a longer chain of results that wait for each other, is
// not what ./lab bound says of a Xeon: the bound alone goes from 6.5 to 7.5 cycles, 0.87 x, and the
// simulated waiting from 12.0 to 14.8, 0.81 x. Both loops wait, so neither a full divider (6 cycles
// in both) nor a full port explains it; which results they wait for, the tool does not tell.
class InverseCubed : public Naive {
 public:
  using Naive::Naive;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    for (std::size_t i = 0; i < n; ++i) {
      const real qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz;
      real ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const real dx = bodies[j].qx - qx;
          const real dy = bodies[j].qy - qy;
          const real dz = bodies[j].qz - qz;
          const real r2 = dx * dx + dy * dy + dz * dz + softening2;
          const real inverse = 1 / std::sqrt(r2);
          const real pull = bodies[j].mass * (inverse * inverse * inverse);
          ax += pull * dx;
          ay += pull * dy;
          az += pull * dz;
        }
      }
      bodies[i].ax = G * ax;
      bodies[i].ay = G * ay;
      bodies[i].az = G * az;
    }
  }
};

}  // namespace nbody
