#pragma once

#include "check/zoo/honest/half_tiles.hpp"

namespace nbody {

// One half for each number, 11 digits, where two are needed; a weight is a single half, too.
class UnsplitHalves : public HalfTiles {
 public:
  explicit UnsplitHalves(const Problem& problem) : HalfTiles(problem, {.split = false}) {}
};

}  // namespace nbody
