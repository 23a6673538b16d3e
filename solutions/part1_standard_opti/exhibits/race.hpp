// Problem: openmp computes each pair twice.
// Idea: third_law with one line, as in openmp.
// Predicted: refused. bodies[j].ax -= ... is a load, a subtraction and a store: what another thread
// stores in between is lost.
// Measured: refused: wrong on two threads, differently in every run; right on one, and often with
// few bodies. It is 1.85 x as fast as third_law.
// Why: the check asks the same question twice, and some additions of a body are lost in between.
#pragma once

#include "../03_fused.hpp"

namespace nbody {

class Race : public Fused {
 public:
  using Fused::Fused;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    const real infinity = std::numeric_limits<real>::infinity();
    for (auto& body : bodies) body.ax = body.ay = body.az = 0;
    nearest2.assign(n, infinity);
#pragma omp parallel for schedule(static, 1)
    for (std::size_t i = 0; i < n; ++i) {
      const real qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz;
      const real G_mass = G * bodies[i].mass;
      real ax = 0, ay = 0, az = 0, nearest = infinity;
      for (std::size_t j = i + 1; j < n; ++j) {
        const real dx = bodies[j].qx - qx;
        const real dy = bodies[j].qy - qy;
        const real dz = bodies[j].qz - qz;
        const real d2 = dx * dx + dy * dy + dz * dz;
        const real r2 = d2 + softening2;
        const real inverse_r3 = 1 / (r2 * std::sqrt(r2));
        const real weight = bodies[j].mass * inverse_r3;
        ax += weight * dx;
        ay += weight * dy;
        az += weight * dz;
        const real reaction = G_mass * inverse_r3;
        bodies[j].ax -= reaction * dx;
        bodies[j].ay -= reaction * dy;
        bodies[j].az -= reaction * dz;
        if (d2 < nearest) nearest = d2;
        if (d2 < nearest2[j]) nearest2[j] = d2;
      }
      bodies[i].ax += G * ax;
      bodies[i].ay += G * ay;
      bodies[i].az += G * az;
      if (nearest < nearest2[i]) nearest2[i] = nearest;
    }
  }
};

}  // namespace nbody
