#pragma once

#include "check/zoo/honest/half_tiles.hpp"

namespace nbody {

// A giant pulls through halves like all others: its weight has 11 digits, and no other pull is
// there in whose sum the rounding would vanish.
class NoHeavyGuard : public HalfTiles {
 public:
  explicit NoHeavyGuard(const Problem& problem) : HalfTiles(problem, {.heavy = false}) {}
};

}  // namespace nbody
