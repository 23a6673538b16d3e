// Honest: right, and half as fast as the given code.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    Naive::compute_accelerations();
    const std::vector<Body> first = bodies;
    Naive::compute_accelerations();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i].ax = (bodies[i].ax + first[i].ax) / 2;
      bodies[i].ay = (bodies[i].ay + first[i].ay) / 2;
      bodies[i].az = (bodies[i].az + first[i].az) / 2;
    }
  }
};

}  // namespace nbody
