// Honest: what mine.hpp includes.
#pragma once

#include <cmath>

namespace nbody {

// Of a mass times G at a squared distance, divided by the distance.
template <typename T>
T pull_of_a_pair(T mass, T r2) {
  return mass / (r2 * std::sqrt(r2));
}

}  // namespace nbody
