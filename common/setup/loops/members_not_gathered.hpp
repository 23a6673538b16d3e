#pragma once

// flags: -march=haswell -fopenmp -fno-math-errno -fno-trapping-math
// g++: vectorized: 8 numbers at a time
// g++ not: some loads gather numbers one by one

#include <cmath>
#include <vector>

#include "simulator/real.hpp"

namespace nbody {

// Body i, and pointers to the arrays, in locals in front of the loop.
struct Loop {
  std::vector<real> x, y, z, mass, a;

  virtual void add_up() {
    for (std::size_t i = 0; i < x.size(); ++i) {
      real sum = 0;
      const std::size_t n = x.size();
      const real *px = x.data(), *py = y.data(), *pz = z.data(), *pm = mass.data();
      const real xi = x[i], yi = y[i], zi = z[i];
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < n; ++j) {
        const real dx = px[j] - xi, dy = py[j] - yi, dz = pz[j] - zi;
        const real r2 = dx * dx + dy * dy + dz * dz;
        const real m = pm[j];
        sum += r2 > 0 ? m / (r2 * std::sqrt(r2)) : 0;
      }
      a[i] = sum;
    }
  }
};

}  // namespace nbody
