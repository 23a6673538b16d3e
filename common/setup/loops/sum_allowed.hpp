#pragma once

#include "simulator/real.hpp"

namespace nbody {

// flags:   -fopenmp-simd
// g++:     vectorized: 8 numbers at a time
// g++ not: lanes are added up one by one
// clang++: vectorized: 8 numbers at a time
class Loop {
 public:
  virtual real run(const real* x, int n) {
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < n; ++j) {
      sum += x[j];
    }
    return sum;
  }
};

}  // namespace nbody
