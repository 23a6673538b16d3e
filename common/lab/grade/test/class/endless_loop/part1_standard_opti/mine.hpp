// Never comes back from compute_accelerations().
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    for (volatile bool turns = true; turns;) {
    }
  }
};

}  // namespace nbody
