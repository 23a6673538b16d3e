#pragma once

#include "fused.hpp"

namespace nbody {

// Exhibit: threads that share no number, and still wait for each other.
// Problem: none; this is openmp written in a natural way.
// Idea: sums in bodies[i], as in the formula, and schedule(dynamic, 1) "for the balance".
// Predicted: openmp with a few more loads. Measured: two threads are 1.4 times as fast as one,
// where openmp is 1.9 times. Rows i and i + 1 run at the same time and their sums lie in one cache
// line of 64 bytes: each addition takes the line away from the other core. Neither change alone
// does this: sums in locals touch the line once a row, and schedule(static) keeps the threads
// thousands of bodies apart.
template <typename T>
class FalseSharing : public Fused<T> {
 public:
  using Fused<T>::Fused;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const T softening2 = softening * softening;
    const T infinity = std::numeric_limits<T>::infinity();
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < n; ++i) {
      const T qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz;
      bodies[i].ax = bodies[i].ay = bodies[i].az = T(0);
      nearest2[i] = infinity;
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const T dx = bodies[j].qx - qx;
          const T dy = bodies[j].qy - qy;
          const T dz = bodies[j].qz - qz;
          const T d2 = dx * dx + dy * dy + dz * dz;
          const T r2 = d2 + softening2;
          const T pull = bodies[j].mass / (r2 * std::sqrt(r2));
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

 protected:
  using Fused<T>::bodies;
  using Fused<T>::G;
  using Fused<T>::nearest2;
  using Fused<T>::softening;
};

}  // namespace nbody
