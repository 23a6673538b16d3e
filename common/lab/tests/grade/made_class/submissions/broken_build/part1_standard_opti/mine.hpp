// Honest: a semicolon is missing.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    const std::size_t n = bodies.size() for (std::size_t i = 0; i < n; ++i) bodies[i].ax = 0;
  }
};

}  // namespace nbody
