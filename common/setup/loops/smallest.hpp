#pragma once

#include "simulator/real.hpp"

namespace nbody {

// g++:     a minimum, maximum or sum that must keep its order
// clang++: a minimum, maximum or sum that must keep its order
class Loop {
 public:
  virtual real run(const real* x, int n) {
    real smallest = x[0];
    for (int j = 0; j < n; ++j) {
      if (x[j] < smallest) smallest = x[j];
    }
    return smallest;
  }
};

}  // namespace nbody
