#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// A static buffer keeps the accelerations of an earlier problem: if it is large enough, the first
// evaluation of a new problem gives the old answer. The first problem of a program, and every
// larger one, is right.
class StaticState : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    static Vectors<real> kept;
    const std::size_t n = bodies.size();
    if (first && kept.size() >= n) {
      for (std::size_t i = 0; i < n; ++i) {
        set_acceleration(i, {kept.x[i], kept.y[i], kept.z[i]});
      }
    } else {
      Plain::compute_accelerations();
      kept = acceleration;
    }
    first = false;
  }

 private:
  bool first = true;
};

}  // namespace nbody
