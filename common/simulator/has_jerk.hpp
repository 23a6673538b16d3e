#pragma once

#include <type_traits>

#include "simulator/simulator.hpp"

namespace nbody {

// Does the class, or a base of it, compute the jerk? Unless it is overridden, the address of the
// function has the contract's type.
template <typename Class>
constexpr bool has_jerk() {
  // False for a class whose members are inaccessible: another message explains that.
  if constexpr (requires { &Class::accelerations_and_jerk; }) {
    return !std::is_same_v<decltype(&Class::accelerations_and_jerk),
                           decltype(&Simulator::accelerations_and_jerk)>;
  }
  return false;
}

}  // namespace nbody
