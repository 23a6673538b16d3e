#pragma once

namespace nbody {

// g++:     inner_only.hpp:12 in run()
// g++ not: inner_only.hpp:11
template <typename T>
class Loop {
 public:
  static void run(T* x, int n) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        x[i * n + j] *= T(2);
      }
    }
  }
};

}  // namespace nbody
