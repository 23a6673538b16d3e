// Half of the pulls, counted twice.
#pragma once

#include "naive.hpp"

namespace nbody {

class HalfTheWork : public Naive {
 public:
  using Naive::Naive;

 protected:
  void half_of_them() {
    for (auto& body : bodies) {
      real x = 0, y = 0, z = 0;
      for (std::size_t j = 0; j < bodies.size(); j += 2) {
        const real dx = bodies[j].qx - body.qx;
        const real dy = bodies[j].qy - body.qy;
        const real dz = bodies[j].qz - body.qz;
        const real d2 = dx * dx + dy * dy + dz * dz;
        if (!(d2 > 0)) continue;
        const real r2 = d2 + softening * softening;
        const real pull = 2 * G * bodies[j].mass / (r2 * std::sqrt(r2));
        x += pull * dx;
        y += pull * dy;
        z += pull * dz;
      }
      body.ax = x;
      body.ay = y;
      body.az = z;
    }
  }
};

}  // namespace nbody
