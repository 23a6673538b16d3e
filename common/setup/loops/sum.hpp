#pragma once

namespace nbody {

// g++:     but lanes are added up one by one, which is slow: the sums may not be added up in
// another clang++: the sums may not be added up in another order
template <typename T>
class Loop {
 public:
  static T run(const T* x, int n) {
    T sum = T(0);
    for (int j = 0; j < n; ++j) {
      sum += x[j];
    }
    return sum;
  }
};

}  // namespace nbody
