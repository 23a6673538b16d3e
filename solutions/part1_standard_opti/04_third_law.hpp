// Problem: fused spends its time on roots and divisions.
// Idea: the force of j on i is minus that of i on j. Each pair is computed once, for both bodies: j
// starts at i + 1, and body j gets the reaction.
// Predicted: 2 x. There are half as many roots and divisions, whose unit is the limit.
// Measured: 1.24 x.
// Why: that unit is no longer the limit. A pair has 26 flops, 13 per interaction instead of 18: 1.4
// x. And the sums of j are loads and stores again: some 55 instructions per pair.
#pragma once

#include "03_fused.hpp"

namespace nbody {

class ThirdLaw : public Fused {
 public:
  using Fused::Fused;

  void compute_accelerations() override {
    clear_sums();
    for (std::size_t i = 0; i < bodies.size(); ++i) add_pairs_of(i);
  }

 protected:
  void clear_sums() {
    for (auto& body : bodies) body.ax = body.ay = body.az = 0;
    nearest2.assign(bodies.size(), std::numeric_limits<real>::infinity());
  }

  // Body i with those after it.
  void add_pairs_of(std::size_t i) {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    const real qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz;
    const real G_mass = G * bodies[i].mass;
    real ax = 0, ay = 0, az = 0, nearest = std::numeric_limits<real>::infinity();
    for (std::size_t j = i + 1; j < n; ++j) {            // a pair: 26 flops, an interaction 13
      const real dx = bodies[j].qx - qx;                 // 1 flop
      const real dy = bodies[j].qy - qy;                 // 1 flop
      const real dz = bodies[j].qz - qz;                 // 1 flop
      const real d2 = dx * dx + dy * dy + dz * dz;       // 5 flops
      const real r2 = d2 + softening2;                   // 1 flop
      const real inverse_r3 = 1 / (r2 * std::sqrt(r2));  // 3 flops
      const real weight = bodies[j].mass * inverse_r3;   // 1 flop
      ax += weight * dx;                                 // 2 flops
      ay += weight * dy;                                 // 2 flops
      az += weight * dz;                                 // 2 flops
      const real reaction = G_mass * inverse_r3;         // 1 flop
      bodies[j].ax -= reaction * dx;                     // 2 flops
      bodies[j].ay -= reaction * dy;                     // 2 flops
      bodies[j].az -= reaction * dz;                     // 2 flops
      if (d2 < nearest) nearest = d2;
      if (d2 < nearest2[j]) nearest2[j] = d2;
    }
    bodies[i].ax += G * ax;
    bodies[i].ay += G * ay;
    bodies[i].az += G * az;
    if (nearest < nearest2[i]) nearest2[i] = nearest;
  }
};

}  // namespace nbody
