#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Four sources at a time into four sums, then the remainder.
class Unrolled : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple acceleration_of(std::size_t i) const override {
    const std::size_t n = bodies.size();
    Triple sums[4];
    std::size_t j = 0;
    for (; j + 4 <= n; j += 4) {
      for (std::size_t k = 0; k < 4; ++k) {
        if (j + k != i) sums[k] += pull(i, j + k);
      }
    }
    for (; j < n; ++j) {
      if (j != i) sums[0] += pull(i, j);
    }
    sums[0] += sums[1];
    sums[2] += sums[3];
    sums[0] += sums[2];
    return sums[0];
  }
};

}  // namespace nbody
