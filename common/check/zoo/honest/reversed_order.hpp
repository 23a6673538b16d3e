#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The sum runs from the last source to the first: other rounding errors, the same physics.
class ReversedOrder : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple acceleration_of(std::size_t i) const override {
    Triple sum;
    for (std::size_t j = bodies.size(); j-- > 0;) {
      if (j != i) sum += pull(i, j);
    }
    return sum;
  }
};

}  // namespace nbody
