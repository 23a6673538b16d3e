#pragma once

#include "../../part1_standard_opti/naive.hpp"

namespace nbody {

// @@
template <typename T>
class Algebra : public Naive<T> {
 public:
  using Naive<T>::Naive;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      bodies[i].ax = T(0);
      bodies[i].ay = T(0);
      bodies[i].az = T(0);
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j) {
          const T dx = bodies[j].qx - bodies[i].qx;
          const T dy = bodies[j].qy - bodies[i].qy;
          const T dz = bodies[j].qz - bodies[i].qz;
          const T r2 = dx * dx + dy * dy + dz * dz + softening * softening;
          const T pull = G * bodies[j].mass / (r2 * std::sqrt(r2));
          bodies[i].ax += pull * dx;
          bodies[i].ay += pull * dy;
          bodies[i].az += pull * dz;
        }
      }
    }
  }

 protected:
  using Naive<T>::bodies;
  using Naive<T>::G;
  using Naive<T>::softening;
};

}  // namespace nbody
