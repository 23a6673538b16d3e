#pragma once

#include "simulator/real.hpp"

namespace nbody {

// g++:     inner_only.hpp:13 in run()
// g++ not: inner_only.hpp:12
class Loop {
 public:
  virtual void run(real* x, int n) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        x[i * n + j] *= 2;
      }
    }
  }
};

}  // namespace nbody
