#pragma once

// flags: -march=haswell -fopenmp -fno-math-errno -fno-trapping-math
// g++: vectorized: 8 numbers at a time
// g++ not: some loads pick the numbers one by one

#include <cmath>
#include <vector>

namespace nbody {

// Body i, and pointers to the arrays, in locals in front of the loop.
template <typename T>
struct Loop {
  std::vector<T> x, y, z, mass, a;

  void add_up() {
    for (std::size_t i = 0; i < x.size(); ++i) {
      T sum = 0;
      const std::size_t n = x.size();
      const T *px = x.data(), *py = y.data(), *pz = z.data(), *pm = mass.data();
      const T xi = x[i], yi = y[i], zi = z[i];
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < n; ++j) {
        const T dx = px[j] - xi, dy = py[j] - yi, dz = pz[j] - zi;
        const T r2 = dx * dx + dy * dy + dz * dz;
        const T m = pm[j];
        sum += r2 > T(0) ? m / (r2 * std::sqrt(r2)) : T(0);
      }
      a[i] = sum;
    }
  }
};

}  // namespace nbody
