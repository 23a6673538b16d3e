#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

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

}  // namespace nbody
