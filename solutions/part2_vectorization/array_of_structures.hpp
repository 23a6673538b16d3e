#pragma once

#include <vector>

#include "../../part2_vectorization/naive.hpp"

namespace nbody {

// Exhibit: the bodies of part 1, an array of structures, with every flag that omp_simd has.
// A batch of x of neighbouring bodies lies scattered over memory, and has to be picked together.
template <typename T>
class ArrayOfStructures : public Naive<T> {
 public:
  using Naive<T>::Naive;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const T softening2 = softening * softening;
    structures.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
      structures[j] = {bodies.mass[j], bodies.qx[j], bodies.qy[j], bodies.qz[j],
                       bodies.vx[j],   bodies.vy[j], bodies.vz[j]};
    }
    const Body* body = structures.data();
    for (std::size_t i = 0; i < n; ++i) {
      const T x = body[i].qx, y = body[i].qy, z = body[i].qz;
      T ax = T(0), ay = T(0), az = T(0);
#pragma omp simd reduction(+ : ax, ay, az)
      for (std::size_t j = 0; j < n; ++j) {
        const T dx = body[j].qx - x;
        const T dy = body[j].qy - y;
        const T dz = body[j].qz - z;
        const T r2 = dx * dx + dy * dy + dz * dz + softening2;
        const T pull = r2 > T(0) ? body[j].mass / (r2 * std::sqrt(r2)) : T(0);
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
      }
      acceleration.x[i] = G * ax;
      acceleration.y[i] = G * ay;
      acceleration.z[i] = G * az;
    }
  }

 private:
  using Naive<T>::acceleration;
  using Naive<T>::bodies;
  using Naive<T>::G;
  using Naive<T>::softening;

  struct Body {
    T mass;
    T qx, qy, qz;
    T vx, vy, vz;
  };
  std::vector<Body> structures;
};

}  // namespace nbody
