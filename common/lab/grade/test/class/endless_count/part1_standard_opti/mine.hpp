// Is right in float; where numbers count, it never ends.
#pragma once

#include <type_traits>

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    if constexpr (!std::is_floating_point_v<real>) {
      for (volatile bool turns = true; turns;) {
      }
    }
  }
};

}  // namespace nbody
