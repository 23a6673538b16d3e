#pragma once

#include "simulator/real.hpp"

namespace nbody {

// g++:     but lanes are added one by one, which is slow: the sums may not
// clang++: the sums may not be reordered
class Loop {
 public:
  virtual real run(const real* x, int n) {
    real sum = 0;
    for (int j = 0; j < n; ++j) {
      sum += x[j];
    }
    return sum;
  }
};

}  // namespace nbody
