#pragma once

#include <cmath>

#include "simulator/real.hpp"

namespace nbody {

// g++:     sqrt (or pow) may set errno
// clang++: sqrt (or pow) may set errno
class Loop {
 public:
  virtual void run(real* x, int n) {
    for (int j = 0; j < n; ++j) x[j] = std::sqrt(x[j]);
  }
};

}  // namespace nbody
