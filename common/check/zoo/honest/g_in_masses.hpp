#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// G is multiplied into the masses once, at the start: one multiplication less per pair.
class GInMasses : public Plain {
 public:
  explicit GInMasses(const Problem& problem) : Plain(problem) {
    for (real& mass : bodies.mass) mass *= G;
    G = 1;
  }
};

}  // namespace nbody
