#pragma once

#include <cmath>

namespace nbody {

// flags:   -fno-math-errno
// g++:     vectorized: 8 numbers at a time
// clang++: vectorized: 8 numbers at a time
template <typename T>
class Loop {
 public:
  static void run(T* x, int n) {
    for (int j = 0; j < n; ++j) {
      x[j] = std::sqrt(x[j]);
    }
  }
};

}  // namespace nbody
