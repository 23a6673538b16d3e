#pragma once

namespace nbody {

// g++:     the loop may end early
// clang++: the loop may end early
template <typename T>
class Loop {
 public:
  static int run(const T* x, int n) {
    for (int j = 0; j < n; ++j) {
      if (x[j] > T(3)) return j;
    }
    return n;
  }
};

}  // namespace nbody
