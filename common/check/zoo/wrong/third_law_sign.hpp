#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The loop over pairs i < j adds to i and to j, where it must subtract from j.
template <typename T>
class ThirdLawSign : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;

  Triple<T> acceleration_of(std::size_t i) const override {
    Triple<T> sum;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (j != i) sum += pull(i, j) * T(j > i ? 1 : -1);
    }
    return sum;
  }
};

}  // namespace nbody
