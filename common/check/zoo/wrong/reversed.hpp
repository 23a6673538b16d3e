#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The sign of the offset is the wrong way round: target minus source. Energy is still conserved,
// and magnitudes are right.
template <typename T>
class Reversed : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  Triple<T> acceleration_of(std::size_t i) const override {
    return Plain<T>::acceleration_of(i) * T(-1);
  }
};

}  // namespace nbody
