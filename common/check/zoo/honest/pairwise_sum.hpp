#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The sources are summed in halves of halves, so rounding errors grow with log n.
class PairwiseSum : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple acceleration_of(std::size_t i) const override { return sum_over(i, 0, bodies.size()); }

 private:
  Triple sum_over(std::size_t i, std::size_t begin, std::size_t end) const {
    if (end - begin == 1) return begin == i ? Triple() : pull(i, begin);
    const std::size_t middle = begin + (end - begin) / 2;
    Triple sum = sum_over(i, begin, middle);
    sum += sum_over(i, middle, end);
    return sum;
  }
};

}  // namespace nbody
