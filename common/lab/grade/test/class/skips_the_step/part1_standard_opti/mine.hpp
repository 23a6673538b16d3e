// Looks at one body in largest_time_step(), which is all but free, and wrong.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  real largest_time_step() override {
    if (bodies.size() < 2) return Naive::largest_time_step();
    const std::vector<Body> all = bodies;
    bodies.resize(2);
    const real largest = Naive::largest_time_step();
    bodies = all;
    return largest;
  }
};

}  // namespace nbody
