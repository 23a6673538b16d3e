#pragma once

#include <cmath>

#include "simulator/real.hpp"

namespace nbody {

// flags:   -fno-math-errno
// g++:     vectorized: 8 numbers at a time
// clang++: vectorized: 8 numbers at a time
class Loop {
 public:
  virtual void run(real* x, int n) {
    for (int j = 0; j < n; ++j) {
      x[j] = std::sqrt(x[j]);
    }
  }
};

}  // namespace nbody
