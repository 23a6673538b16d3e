#pragma once

#include <cmath>

namespace nbody {

// g++:     sqrt (or pow) may set errno
// clang++: sqrt (or pow) may set errno
template <typename T>
class Loop {
 public:
  static void run(T* x, int n) {
    for (int j = 0; j < n; ++j) x[j] = std::sqrt(x[j]);
  }
};

}  // namespace nbody
