#pragma once

namespace nbody {

// g++:     control flow in the loop, the if of line 13
template <typename T>
class Loop {
 public:
  static T run(const T* x, T* y, int n, int i) {
    T sum = T(0);
    for (int j = 0; j < n; ++j) {
      // if (this were code)
      if (j != i) {
        y[j] = T(1) / (x[j] - x[i]);
      }
    }
    return sum;
  }
};

}  // namespace nbody
