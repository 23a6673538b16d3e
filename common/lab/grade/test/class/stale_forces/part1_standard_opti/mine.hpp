// Computes the forces in every other step, and takes the old ones in between.
#pragma once

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
  void compute_accelerations() override {
    if (calls_++ % 2 == 0) Naive::compute_accelerations();
  }

 private:
  int calls_ = 0;
};

}  // namespace nbody
