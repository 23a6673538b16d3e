#pragma once

#include "check/zoo/honest/half_tiles.hpp"

namespace nbody {

// Neighbours are computed like all others, by |u|^2 + |y|^2 - 2 u.y: squares of the tile's size
// cancel down to a small distance. Few bodies use another kernel, which is right.
class NoNearList : public HalfTiles {
 public:
  explicit NoNearList(const Problem& problem) : HalfTiles(problem, {.near = false}) {}

  void compute_accelerations() override {
    if (bodies.size() < 512) {
      Plain::compute_accelerations();
    } else {
      HalfTiles::compute_accelerations();
    }
  }
};

}  // namespace nbody
