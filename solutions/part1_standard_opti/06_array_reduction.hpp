#pragma once

#include "03_fused.hpp"

namespace nbody {

// Exhibit: right and balanced, with one line; private_blocks and private_cyclic show what it does.
// Problem: race loses additions, and atomics pays for each of them.
// Idea: OpenMP also reduces sections of arrays. reduction(+ : all_ax[:n]) gives every thread its
// own n numbers, filled with 0, and adds them to the shared ones at the end.
// Predicted: as private_cyclic, which does the same by hand. Measured: README.md.
// Two traps. The private arrays lie on the stacks of the threads, 16 bytes per body (double: 32):
// with 600 000 bodies a stack of 8 MB overflows, and the program dies. And the arrays are added in
// the order in which the threads finish: with three or more, the last bits can change.
// Changed: the pragma; and sums in arrays, because a section cannot pick `ax` out of bodies.
class ArrayReduction : public Fused {
 public:
  using Fused::Fused;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    const real infinity = std::numeric_limits<real>::infinity();
    for (auto* sums : {&sum_x, &sum_y, &sum_z}) sums->assign(n, 0);
    nearest2.assign(n, infinity);
    real *all_ax = sum_x.data(), *all_ay = sum_y.data(), *all_az = sum_z.data();
    real* all_nearest = nearest2.data();
#pragma omp parallel for schedule(static, 1) reduction(+ : all_ax[:n], all_ay[:n], all_az[:n]) \
    reduction(min : all_nearest[:n])
    for (std::size_t i = 0; i < n; ++i) {
      const real qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz, mass = bodies[i].mass;
      real ax = 0, ay = 0, az = 0, nearest = infinity;
      for (std::size_t j = i + 1; j < n; ++j) {
        const real dx = bodies[j].qx - qx;
        const real dy = bodies[j].qy - qy;
        const real dz = bodies[j].qz - qz;
        const real d2 = dx * dx + dy * dy + dz * dz;
        const real r2 = d2 + softening2;
        const real inverse = 1 / (r2 * std::sqrt(r2));
        const real pull = bodies[j].mass * inverse;
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
        const real pull_back = mass * inverse;
        all_ax[j] -= pull_back * dx;
        all_ay[j] -= pull_back * dy;
        all_az[j] -= pull_back * dz;
        if (d2 < nearest) nearest = d2;
        if (d2 < all_nearest[j]) all_nearest[j] = d2;
      }
      all_ax[i] += ax;
      all_ay[i] += ay;
      all_az[i] += az;
      if (nearest < all_nearest[i]) all_nearest[i] = nearest;
    }
    for (std::size_t i = 0; i < n; ++i) {
      bodies[i].ax = G * all_ax[i];
      bodies[i].ay = G * all_ay[i];
      bodies[i].az = G * all_az[i];
    }
  }

 private:
  std::vector<real> sum_x, sum_y, sum_z;  // for every body
};

}  // namespace nbody
