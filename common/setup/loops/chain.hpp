#pragma once

#include "simulator/real.hpp"

namespace nbody {

// g++:     one iteration needs what another wrote
class Loop {
 public:
  virtual void run(real* x, int n) {
    for (int j = 1; j < n; ++j) {
      x[j] = x[j - 1] * 2 + x[j];
    }
  }
};

}  // namespace nbody
