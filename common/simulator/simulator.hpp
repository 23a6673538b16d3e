#pragma once

#include "simulator/contract.hpp"
#include "simulator/real.hpp"

namespace nbody {

// What an implementation is made from and what it must do: simulator/contract.hpp.
using Problem = ProblemOf<real>;
using Simulator = SimulatorOf<real>;

}  // namespace nbody
