#pragma once

#include "fused.hpp"

namespace nbody {

// Problem: one core works, the others watch.
// Idea: one line above the rows of `fused`, which share nothing but what they read. Not above those
// of third_law: these write to each other's bodies (see race).
// Predicted: T x fused with T threads. Measured: 1.9 on two threads, a third more than
// third_law on one.
// schedule(static), since all rows are equally long; stated, since defaults differ.
template <typename T>
class Openmp : public Fused<T> {
 public:
  using Fused<T>::Fused;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const T softening2 = softening * softening;
    const T infinity = std::numeric_limits<T>::infinity();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
      const T qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz;
      T ax = T(0), ay = T(0), az = T(0), nearest = infinity;
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const T dx = bodies[j].qx - qx;
          const T dy = bodies[j].qy - qy;
          const T dz = bodies[j].qz - qz;
          const T d2 = dx * dx + dy * dy + dz * dz;
          const T r2 = d2 + softening2;
          const T pull = bodies[j].mass / (r2 * std::sqrt(r2));
          ax += pull * dx;
          ay += pull * dy;
          az += pull * dz;
          if (d2 < nearest) nearest = d2;
        }
      }
      bodies[i].ax = G * ax;
      bodies[i].ay = G * ay;
      bodies[i].az = G * az;
      nearest2[i] = nearest;
    }
  }

 protected:
  using Fused<T>::bodies;
  using Fused<T>::G;
  using Fused<T>::nearest2;
  using Fused<T>::softening;
};

}  // namespace nbody
