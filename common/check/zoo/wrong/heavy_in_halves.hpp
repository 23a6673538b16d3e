#pragma once

#include "check/zoo/honest/half_tiles.hpp"

namespace nbody {

// No guard for heavy bodies, as in no_heavy_guard, and another kernel for all sizes of the ladder.
// Beside a very heavy body long float sums may lose more than this, so only a program that promises
// sums that hold fails.
class HeavyInHalves : public HalfTiles {
 public:
  explicit HeavyInHalves(const Problem& problem) : HalfTiles(problem, {.heavy = false}) {}

  void compute_accelerations() override {
    if (bodies.size() < 8192) {
      Plain::compute_accelerations();
    } else {
      HalfTiles::compute_accelerations();
    }
  }
};

}  // namespace nbody
