#pragma once

#include "simulator/real.hpp"

namespace nbody {

// g++:     the loop may end early
// clang++: the loop may end early
class Loop {
 public:
  virtual int run(const real* x, int n) {
    for (int j = 0; j < n; ++j) {
      if (x[j] > 3) return j;
    }
    return n;
  }
};

}  // namespace nbody
