#pragma once

#include "check/zoo/honest/half_tiles.hpp"

namespace nbody {

// A giant's pull is computed in halves like all others: its weight has 11 digits, and no other pull
// hides the rounding.
class NoHeavyGuard : public HalfTiles {
 public:
  explicit NoHeavyGuard(const Problem& problem) : HalfTiles(problem, {.heavy = false}) {}
};

}  // namespace nbody
