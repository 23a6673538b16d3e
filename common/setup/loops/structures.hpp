#pragma once

#include "simulator/real.hpp"

namespace nbody {

// g++:     the numbers are not contiguous
class Loop {
 public:
  struct Body {
    real mass, x, y, z, vx, vy, vz;
  };
  virtual void run(const Body* body, real* out, int n) {
    for (int j = 0; j < n; ++j) {
      out[j] = body[j].x * body[j].mass;
    }
  }
};

}  // namespace nbody
