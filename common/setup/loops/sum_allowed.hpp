#pragma once

namespace nbody {

// flags:   -fopenmp-simd
// g++:     vectorized: 8 numbers at a time
// g++ not: lanes are added up one by one
// clang++: vectorized: 8 numbers at a time
template <typename T>
class Loop {
 public:
  static T run(const T* x, int n) {
    T sum = T(0);
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < n; ++j) {
      sum += x[j];
    }
    return sum;
  }
};

}  // namespace nbody
