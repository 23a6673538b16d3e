#pragma once

// flags: -march=haswell -fopenmp -fno-math-errno -fno-trapping-math
// g++: vectorized: 8 numbers at a time
// g++: some loads gather numbers one by one

#include <cmath>
#include <vector>

#include "simulator/real.hpp"

namespace nbody {

// As students begin: the members as they are, body i read in the loop.
struct Loop {
  std::vector<real> x, y, z, mass, a;

  virtual void add_up() {
    for (std::size_t i = 0; i < x.size(); ++i) {
      real sum = 0;
      const std::size_t n = x.size();
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < n; ++j) {
        const real dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const real r2 = dx * dx + dy * dy + dz * dz;
        const real m = mass[j];
        sum += r2 > 0 ? m / (r2 * std::sqrt(r2)) : 0;
      }
      a[i] = sum;
    }
  }
};

}  // namespace nbody
