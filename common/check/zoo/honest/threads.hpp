#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Targets are shared out to threads; no thread writes to another's body.
class Threads : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < bodies.size(); ++i) set_acceleration(i, acceleration_of(i));
  }
};

}  // namespace nbody
