#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Compensated summation: what each addition loses is carried to the next.
template <typename T>
class Kahan : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;

  Triple<T> acceleration_of(std::size_t i) const override {
    Triple<T> sum, lost;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (j == i) continue;
      const Triple<T> a = pull(i, j);
      add(a.x, sum.x, lost.x);
      add(a.y, sum.y, lost.y);
      add(a.z, sum.z, lost.z);
    }
    return sum;
  }

 private:
  static void add(T term, T& sum, T& lost) {
    const T corrected = term - lost;
    const T next = sum + corrected;
    lost = (next - sum) - corrected;
    sum = next;
  }
};

}  // namespace nbody
