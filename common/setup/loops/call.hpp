#pragma once

namespace nbody {

float elsewhere(float);

// g++:     a call in the loop that is not inlined
// clang++: a call in the loop that is not inlined
template <typename T>
class Loop {
 public:
  static void run(T* x, int n) {
    for (int j = 0; j < n; ++j) {
      x[j] = elsewhere(x[j]);
    }
  }
};

}  // namespace nbody
