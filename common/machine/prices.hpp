#pragma once

#include <string>
#include <vector>

#include "machine/core_clock.hpp"

namespace nbody::machine {

// What one scalar operation costs, in cycles of the core.
struct Price {
  std::string operation;  // "add", ...
  std::string precision;  // "float" or "double"
  std::string note;       // how it is computed, if the name does not say so
  bool there = true;      // false: this processor has no such instruction
  Measured latency;       // from operands to result: each waits for the previous one
  Measured one_every;     // when none waits for another
};

// add, mul, fma, div, sqrt, 1/sqrt, its estimate and pow, first in float, then in double.
std::vector<Price> measure_prices();

}  // namespace nbody::machine
