#pragma once

#include "simulator/real.hpp"

namespace nbody {

// flags:   -fopenmp-simd
// g++:     the selection in line 15 computes a value it may not take: use -fno-trapping-math
// clang++: vectorized: 8 numbers at a time
class Loop {
 public:
  virtual void run(const real* x, real* y, int n) {
#pragma omp simd
    for (int j = 0; j < n; ++j) {
      y[j] = x[j] > 0 ? 1 / x[j] : 0;
    }
  }
};

}  // namespace nbody
