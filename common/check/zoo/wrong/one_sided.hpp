#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The loop over pairs i < j adds to i and forgets to subtract from j.
template <typename T>
class OneSided : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;

  Triple<T> acceleration_of(std::size_t i) const override {
    Triple<T> sum;
    for (std::size_t j = i + 1; j < bodies.size(); ++j) sum += pull(i, j);
    return sum;
  }
};

}  // namespace nbody
