#pragma once

#include "fused.hpp"

namespace nbody {

// Exhibit: wrong, and slow on top of it.
// Problem: openmp does each pair twice.
// Idea: third_law with the one line of openmp.
// Predicted: T x third_law. Measured: half of it with two threads, and wrong: `bodies[j].ax -= ...`
// is a load, a subtraction and a store; what another thread stores in between is lost, something
// else in every run. On one thread it is right, and with few bodies often enough.
template <typename T>
class Race : public Fused<T> {
 public:
  using Fused<T>::Fused;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const T softening2 = softening * softening;
    const T infinity = std::numeric_limits<T>::infinity();
    for (auto& body : bodies) body.ax = body.ay = body.az = T(0);
    nearest2.assign(n, infinity);
#pragma omp parallel for schedule(static, 1)
    for (std::size_t i = 0; i < n; ++i) {
      const T qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz;
      const T G_mass = G * bodies[i].mass;
      T ax = T(0), ay = T(0), az = T(0), nearest = infinity;
      for (std::size_t j = i + 1; j < n; ++j) {
        const T dx = bodies[j].qx - qx;
        const T dy = bodies[j].qy - qy;
        const T dz = bodies[j].qz - qz;
        const T d2 = dx * dx + dy * dy + dz * dz;
        const T r2 = d2 + softening2;
        const T inverse = T(1) / (r2 * std::sqrt(r2));
        const T pull = bodies[j].mass * inverse;
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
        const T pull_back = G_mass * inverse;
        bodies[j].ax -= pull_back * dx;
        bodies[j].ay -= pull_back * dy;
        bodies[j].az -= pull_back * dz;
        if (d2 < nearest) nearest = d2;
        if (d2 < nearest2[j]) nearest2[j] = d2;
      }
      bodies[i].ax += G * ax;
      bodies[i].ay += G * ay;
      bodies[i].az += G * az;
      if (nearest < nearest2[i]) nearest2[i] = nearest;
    }
  }

 protected:
  using Fused<T>::bodies;
  using Fused<T>::G;
  using Fused<T>::nearest2;
  using Fused<T>::softening;
};

}  // namespace nbody
