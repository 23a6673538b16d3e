#pragma once

#include <functional>
#include <string>
#include <vector>

#include "worksheet/given.hpp"

namespace nbody {

// What an answer is measured in: each unit has slips of its own.
enum class Unit {
  none,
  operations,  // of one call, an expression of n
  fma,
  numbers,  // that are loaded or stored in one call
  bytes,
  flop_per_byte,
  gflops,
  tflops,
  percent,
  share,  // of 1
  ratio,  // how many times
  a_cycle,
  lanes_of_float,
  lanes_of_double,
};

// What a slip makes of the truth with n bodies.
using Made = std::function<double(double truth, double n)>;

// A slip that many make, and the sentence that names it.
struct KnownSlip {
  Unit unit;
  Made made;
  std::string sentence;
};

// The one table of them.
const std::vector<KnownSlip>& known_slips();

// The sentence about a wrong answer that a known slip explains; empty for every other one.
// `tolerance` is relative.
std::string slip_in(Unit unit, const AtBothSizes& answer, const AtBothSizes& truth,
                    double tolerance);

}  // namespace nbody
