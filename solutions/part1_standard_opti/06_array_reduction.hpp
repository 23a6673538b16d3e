// Problem: bodies i of third_law in parallel lose additions (exhibits/race.hpp), and atomic ones
// cost more than the pair itself (exhibits/atomics.hpp).
// Idea: private sums, as OpenMP writes them. reduction(+ : all_ax[:n]) gives every thread its own n
// sums, filled with 0, and adds them to the shared ones at the end. Body i has n - 1 - i pairs:
// schedule(static, 1) distributes the bodies cyclically, like cards, so threads have equal work.
// Predicted: 2 x on two threads, 1 x on one.
// Measured: 1.81 x on two threads, 0.92 x on one.
// Why: a section cannot pick ax out of bodies, so the sums of a body are no longer neighbours, and
// the compiler cannot subtract two of them with one instruction (subps). Two traps. The private
// arrays lie on the threads' stacks, 16 bytes per body: 600 000 bodies overflow 8 MB. And threads
// add them as they finish: from three on, the last bits can change.
#pragma once

#include "03_fused.hpp"

namespace nbody {

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
        const real inverse_r3 = 1 / (r2 * std::sqrt(r2));
        const real weight = bodies[j].mass * inverse_r3;
        ax += weight * dx;
        ay += weight * dy;
        az += weight * dz;
        const real reaction = mass * inverse_r3;
        all_ax[j] -= reaction * dx;
        all_ay[j] -= reaction * dy;
        all_az[j] -= reaction * dz;
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
