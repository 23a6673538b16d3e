#pragma once

#include <algorithm>
#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The same pulls, summed in other ways.

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

// Sources in tiles of 64; all targets use one tile before any uses the next: partial sums wait in
// memory.
class Tiles : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    clear_accelerations();
    for (std::size_t begin = 0; begin < n; begin += 64) {
      const std::size_t end = std::min(begin + 64, n);
      for (std::size_t i = 0; i < n; ++i) {
        Triple sum;
        for (std::size_t j = begin; j < end; ++j) {
          if (j != i) sum += pull(i, j);
        }
        add_acceleration(i, sum);
      }
    }
  }
};

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
