#pragma once

#include <algorithm>
#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

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

}  // namespace nbody
