#pragma once

// flags: -march=haswell -fopenmp -fno-math-errno -fno-trapping-math
// g++: vectorized: 8 numbers at a time
// g++: some loads pick the numbers one by one

#include <cmath>
#include <vector>

namespace nbody {

// As students begin: the members as they are, body i read in the loop.
template <typename T>
struct Loop {
  std::vector<T> x, y, z, mass, a;

  void add_up() {
    for (std::size_t i = 0; i < x.size(); ++i) {
      T sum = 0;
      const std::size_t n = x.size();
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < n; ++j) {
        const T dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const T r2 = dx * dx + dy * dy + dz * dz;
        const T m = mass[j];
        sum += r2 > T(0) ? m / (r2 * std::sqrt(r2)) : T(0);
      }
      a[i] = sum;
    }
  }
};

}  // namespace nbody
