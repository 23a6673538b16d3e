// Honest: a version that loses the last body.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    if (bodies.size() < 2) return Naive::compute_accelerations();
    const Body last = bodies.back();
    bodies.pop_back();
    Naive::compute_accelerations();
    bodies.push_back(last);
  }
};

}  // namespace nbody
