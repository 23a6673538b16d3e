#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Targets beyond the last multiple of 8 keep an acceleration of zero: with 7 bodies all of them.
template <typename T>
class TailOfEightSkipped : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;

  Triple<T> acceleration_of(std::size_t i) const override {
    if (i >= bodies.size() / 8 * 8) return {};
    return Plain<T>::acceleration_of(i);
  }
};

}  // namespace nbody
