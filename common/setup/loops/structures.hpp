#pragma once

namespace nbody {

// g++:     the numbers lie apart in memory
template <typename T>
class Loop {
 public:
  struct Body {
    T mass, x, y, z, vx, vy, vz;
  };
  static void run(const Body* body, T* out, int n) {
    for (int j = 0; j < n; ++j) {
      out[j] = body[j].x * body[j].mass;
    }
  }
};

}  // namespace nbody
