#pragma once

namespace nbody {

// g++:     a minimum, maximum or sum in a form that must keep its order
// clang++: a minimum, maximum or sum in a form that must keep its order
template <typename T>
class Loop {
 public:
  static T run(const T* x, int n) {
    T smallest = x[0];
    for (int j = 0; j < n; ++j) {
      if (x[j] < smallest) smallest = x[j];
    }
    return smallest;
  }
};

}  // namespace nbody
