#pragma once

#include "../03_fused.hpp"

namespace nbody {

// Exhibit: threads that share no numbers and still wait for each other.
// Problem: none; this is openmp, written naively.
// Idea: sums in bodies[i], as in the formula, and schedule(dynamic, 1) "for the balance".
// Predicted: openmp with a few more loads. Measured: two threads are 1.4 times as fast as one; for
// openmp it is 1.9 times. Rows i and i + 1 run at the same time, and their sums lie in one cache
// line of 64 bytes, which goes back and forth between the cores. Additions that wait in the store
// buffer hide most of that, so it costs less than was predicted (README.md). Either change alone
// is harmless: sums in locals touch the line once per row, and schedule(static) keeps the threads
// thousands of bodies apart.
class FalseSharing : public Fused {
 public:
  using Fused::Fused;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    const real infinity = std::numeric_limits<real>::infinity();
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < n; ++i) {
      const real qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz;
      bodies[i].ax = bodies[i].ay = bodies[i].az = 0;
      nearest2[i] = infinity;
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const real dx = bodies[j].qx - qx;
          const real dy = bodies[j].qy - qy;
          const real dz = bodies[j].qz - qz;
          const real d2 = dx * dx + dy * dy + dz * dz;
          const real r2 = d2 + softening2;
          const real pull = bodies[j].mass / (r2 * std::sqrt(r2));
          bodies[i].ax += pull * dx;
          bodies[i].ay += pull * dy;
          bodies[i].az += pull * dz;
          if (d2 < nearest2[i]) nearest2[i] = d2;
        }
      }
      bodies[i].ax *= G;
      bodies[i].ay *= G;
      bodies[i].az *= G;
    }
  }
};

}  // namespace nbody
