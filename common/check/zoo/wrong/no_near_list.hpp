#pragma once

#include "check/zoo/half_tiles.hpp"

namespace nbody {

// Neighbours meet like all others, by |u|^2 + |y|^2 - 2 u.y: squares of the tile's size cancel to
// that of a small distance.
class NoNearList : public HalfTiles {
 public:
  explicit NoNearList(const Problem& problem) : HalfTiles(problem, {.near = false}) {}
};

}  // namespace nbody
