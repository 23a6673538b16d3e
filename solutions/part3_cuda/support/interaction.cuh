#pragma once

#include "estimates.cuh"
#include "real4.cuh"

namespace nbody {

// r2^(-3/2) from the approximation y of r2^(-1/2).
__device__ inline float inverse_cube(float y, float) { return y * y * y; }

// y^3 (1 - h)^(-3/2), h = 1 - r2 y^2: two terms of the series leave an error below the last digit.
__device__ inline double inverse_cube(double y, double r2) {
  const double y2 = y * y;
  const double y3 = y2 * y;
  const double h = fma(-r2, y2, 1.0);
  return fma(fma(h, 1.875, 1.5), h * y3, y3);
}

__device__ inline real inverse_cube(real r2) { return inverse_cube(estimate_of_rsqrt(r2), r2); }

}  // namespace nbody
