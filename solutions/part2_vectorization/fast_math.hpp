#pragma once

#include "omp_simd.hpp"

namespace nbody {

// Exhibit: the loop of omp_simd with -ffast-math, which permits all that omp_simd asks for and much
// more. GCC 12 turns root and division into estimates with a Newton step each: twice the
// instructions.
class FastMath : public OmpSimd {
 public:
  using OmpSimd::OmpSimd;
};

}  // namespace nbody
