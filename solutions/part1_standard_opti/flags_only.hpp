#pragma once

#include "../../part1_standard_opti/naive.hpp"

namespace nbody {

// Problem: nothing is measured yet but naive itself, so the cheapest try comes first.
// Idea: the source stays. -march=native allows every instruction of this CPU, -ffast-math treats
// numbers as exact ones and promises that none is infinite or NaN.
// Predicted: 1.3 x naive. Measured: 1.1 x. A compiler does not replace seven divisions by one.
// Two traps: such a program may not run on another CPU; and naive breaks the promise, its minimum
// starts at infinity. The check says that it still works, the language does not.
class FlagsOnly : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
