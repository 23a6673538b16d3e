#pragma once

#include "omp_simd.hpp"

namespace nbody {

// Exhibit: more permissions than the loop needs.
// Problem: omp_simd asks for each permission by name.
// Idea: -ffast-math permits all of them, and much more. GCC 12 turns root and division into
// estimates with a Newton step each.
// Changed: the flags.
// Predicted: below 1 x omp_simd, since 25 instructions become 39. Measured: 1.14 x. None of the 39
// needs the divider, which omp_simd waits for.
class FastMath : public OmpSimd {
 public:
  using OmpSimd::OmpSimd;
};

}  // namespace nbody
