#pragma once

namespace nbody {

// g++:     tests first whether the arrays overlap
// clang++: vectorized: 8 numbers at a time
template <typename T>
class Loop {
 public:
  static void run(T* x, const T* y, int n) {
    for (int j = 0; j < n; ++j) {
      x[j] = y[j] * T(2);
    }
  }
};

}  // namespace nbody
