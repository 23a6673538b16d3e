#pragma once

namespace nbody {

// g++:     one turn needs what another one wrote
template <typename T>
class Loop {
 public:
  static void run(T* x, int n) {
    for (int j = 1; j < n; ++j) {
      x[j] = x[j - 1] * T(2) + x[j];
    }
  }
};

}  // namespace nbody
