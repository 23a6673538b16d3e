#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// With softening a body may pull itself: the offset is zero, and eps keeps the distance positive.
// Without, the test stays.
class SoftenedBranchless : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple acceleration_of(std::size_t i) const override {
    if (softening2 == 0) return Plain::acceleration_of(i);
    Triple sum;
    for (std::size_t j = 0; j < bodies.size(); ++j) sum += pull(i, j);
    return sum;
  }
};

}  // namespace nbody
