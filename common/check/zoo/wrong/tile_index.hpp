#pragma once

#include <algorithm>
#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// A tile of 64 sources is loaded with the tile's index where the thread's index should stand, so
// all its slots hold the same body. Published GPU kernels had this; results stay finite and of the
// right size.
template <typename T>
class TileIndex : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;

  Triple<T> acceleration_of(std::size_t i) const override {
    const std::size_t n = bodies.size();
    Triple<T> sum;
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t tile = j / 64;
      const std::size_t loaded = std::min(tile * 64 + tile, n - 1);
      if (loaded != i) sum += pull(i, loaded);
    }
    return sum;
  }
};

}  // namespace nbody
