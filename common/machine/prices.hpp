#pragma once

#include <string>
#include <vector>

#include "machine/core_clock.hpp"

namespace nbody {

// What one scalar operation costs, in cycles of the core.
struct Price {
  std::string operation;  // "add", ...
  std::string precision;  // "float" or "double"
  std::string note;       // how it is computed, where the name does not say it
  bool there = true;      // false: this processor has no such instruction
  Measured latency;       // from its operands to its result: each waits for the one before
  Measured one_every;     // when none waits for another
};

// add, mul, fma, div, sqrt, 1/sqrt, its estimate and pow, first in float, then in double.
std::vector<Price> measure_prices();

}  // namespace nbody
