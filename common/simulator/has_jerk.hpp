#pragma once

#include <type_traits>

#include "simulator/simulator.hpp"

namespace nbody {

// Does the class, or one that it is derived from, compute the jerk? The address of a function that
// nobody overrides has the type of the contract's own.
template <typename Class>
constexpr bool has_jerk() {
  // Not of a class that may not be looked into: what is wrong with that is said elsewhere.
  if constexpr (requires { &Class::accelerations_and_jerk; }) {
    return !std::is_same_v<decltype(&Class::accelerations_and_jerk),
                           decltype(&Simulator::accelerations_and_jerk)>;
  }
  return false;
}

}  // namespace nbody
