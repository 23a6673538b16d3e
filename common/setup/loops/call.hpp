#pragma once

#include "simulator/real.hpp"

namespace nbody {

float elsewhere(float);

// g++:     a call in the loop is not inlined
// clang++: a call in the loop is not inlined
class Loop {
 public:
  virtual void run(real* x, int n) {
    for (int j = 0; j < n; ++j) {
      x[j] = elsewhere(x[j]);
    }
  }
};

}  // namespace nbody
