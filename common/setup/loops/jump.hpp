#pragma once

#include "simulator/real.hpp"

namespace nbody {

// g++:     control flow in the loop, the if in line 14
class Loop {
 public:
  virtual real run(const real* x, real* y, int n, int i) {
    real sum = 0;
    for (int j = 0; j < n; ++j) {
      // if (this were code)
      if (j != i) {
        y[j] = 1 / (x[j] - x[i]);
      }
    }
    return sum;
  }
};

}  // namespace nbody
