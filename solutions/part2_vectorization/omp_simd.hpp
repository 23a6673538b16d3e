#pragma once

#include "../../part2_vectorization/naive.hpp"

namespace nbody {

// Problem: one number at a time, where a register holds sixteen.
// Idea: give the compiler every permission that it needs, and none that it does not:
//   omp simd reduction          the sums may be added in another order
//   -fno-math-errno             a root of a negative number need not set errno
//   -fno-trapping-math          what is not taken may be computed, the 0 / 0 of i = j
//   const pointers in locals    no store in the loop, no question what it might change
// Changed: i = j is a selection and no jump; the flags.
template <typename T>
class OmpSimd : public Naive<T> {
 public:
  using Naive<T>::Naive;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const T softening2 = softening * softening;
    const T *mass = bodies.mass.data(), *qx = bodies.qx.data();
    const T *qy = bodies.qy.data(), *qz = bodies.qz.data();
    for (std::size_t i = 0; i < n; ++i) {
      const T x = qx[i], y = qy[i], z = qz[i];
      T ax = T(0), ay = T(0), az = T(0);
#pragma omp simd reduction(+ : ax, ay, az)
      for (std::size_t j = 0; j < n; ++j) {
        const T dx = qx[j] - x;
        const T dy = qy[j] - y;
        const T dz = qz[j] - z;
        const T r2 = dx * dx + dy * dy + dz * dz + softening2;
        const T pull = r2 > T(0) ? mass[j] / (r2 * std::sqrt(r2)) : T(0);
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
      }
      acceleration.x[i] = G * ax;
      acceleration.y[i] = G * ay;
      acceleration.z[i] = G * az;
    }
  }

 protected:
  using Naive<T>::acceleration;
  using Naive<T>::bodies;
  using Naive<T>::G;
  using Naive<T>::softening;
};

}  // namespace nbody
