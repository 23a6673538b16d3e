#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// G is multiplied into the masses once, at the start: one multiplication fewer a pair.
template <typename T>
class GInMasses : public Plain<T> {
 public:
  explicit GInMasses(const Problem<T>& problem) : Plain<T>(problem) {
    for (T& mass : bodies.mass) mass *= G;
    G = T(1);
  }

 protected:
  using Plain<T>::bodies;
  using Plain<T>::G;
};

}  // namespace nbody
