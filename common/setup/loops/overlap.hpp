#pragma once

#include "simulator/real.hpp"

namespace nbody {

// g++:     first tests whether the arrays overlap
// clang++: vectorized: 8 numbers at a time
class Loop {
 public:
  virtual void run(real* x, const real* y, int n) {
    for (int j = 0; j < n; ++j) {
      x[j] = y[j] * 2;
    }
  }
};

}  // namespace nbody
