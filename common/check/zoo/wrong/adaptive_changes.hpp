#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// Like a race in the minimum, but in every run: a larger step in some calls.
class AdaptiveChanges : public Plain {
 public:
  using Plain::Plain;

  real largest_time_step() override {
    static int calls = 0;
    const real smallest = Plain::largest_time_step();
    return ++calls % 7 == 3 ? smallest * real(1.5) : smallest;
  }
};

}  // namespace nbody
