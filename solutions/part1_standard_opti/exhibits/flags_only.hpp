// Problem: only naive has been measured, so the cheapest try comes first.
// Idea: the source stays, the flags change. -march=native allows every instruction of this CPU;
// -ffast-math treats numbers as exact and promises that none is infinite or NaN.
// Predicted: 1.3 x.
// Measured: 1.08 x.
// Why: naive's seven divisions are five instructions, two of them on pairs. g++ turns these two
// into approximations of 1/x with a Newton step (vrcpps), so the divider, of a Skylake in llvm-mca,
// is busy for 12 cycles instead of 18. The other three stay, and each approximation costs five
// instructions more: now port 0 is the busiest. Two traps: such a program may not run on another
// CPU; and naive breaks the promise, since its minimum starts at infinity. The check shows that it
// still works; the language does not.
#pragma once

#include "../../../part1_standard_opti/naive.hpp"

namespace nbody {

class FlagsOnly : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
