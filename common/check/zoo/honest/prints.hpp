#pragma once

#include <cstddef>
#include <cstdio>

#include "check/zoo/plain.hpp"

namespace nbody {

// Writes to standard output while it computes, as in debugging. The answers must not suffer.
class Prints : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    Plain::compute_accelerations();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      std::printf("body %zu: ax = %g\n", i, static_cast<double>(acceleration.x[i]));
    }
  }
};

}  // namespace nbody
