#pragma once

namespace nbody {

// flags:   -fopenmp-simd
// g++:     the selection of line 14 computes what may not be taken: -fno-trapping-math
// clang++: vectorized: 8 numbers at a time
template <typename T>
class Loop {
 public:
  static void run(const T* x, T* y, int n) {
#pragma omp simd
    for (int j = 0; j < n; ++j) {
      y[j] = x[j] > T(0) ? T(1) / x[j] : T(0);
    }
  }
};

}  // namespace nbody
