// Honest: one division and one root for each pair.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    const real softening2 = softening * softening;
    for (auto& body : bodies) {
      real ax = 0, ay = 0, az = 0;
      for (const auto& source : bodies) {
        if (&source == &body) continue;
        const real dx = source.qx - body.qx;
        const real dy = source.qy - body.qy;
        const real dz = source.qz - body.qz;
        const real inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening2);
        const real pull = G * source.mass * inverse * inverse * inverse;
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
      }
      body.ax = ax;
      body.ay = ay;
      body.az = az;
    }
  }
};

}  // namespace nbody
