#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The tile of 64 sources is loaded before the loop over the tiles instead of in it. Up to 64 bodies
// it is right.
template <typename T>
class SharedTileNotRefreshed : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;

  Triple<T> acceleration_of(std::size_t i) const override {
    Triple<T> sum;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      const std::size_t loaded = j % 64;
      if (loaded != i) sum += pull(i, loaded);
    }
    return sum;
  }
};

}  // namespace nbody
