#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The same pulls, summed in other ways.

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

// Compensated summation: each addition carries its rounding error to the next.
class Kahan : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple acceleration_of(std::size_t i) const override {
    Triple sum, lost;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (j == i) continue;
      const Triple a = pull(i, j);
      add(a.x, sum.x, lost.x);
      add(a.y, sum.y, lost.y);
      add(a.z, sum.z, lost.z);
    }
    return sum;
  }

 private:
  static void add(real term, real& sum, real& lost) {
    const real corrected = term - lost;
    const real next = sum + corrected;
    lost = (next - sum) - corrected;
    sum = next;
  }
};

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
