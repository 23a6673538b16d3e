#pragma once

#include "real4.cuh"
#include "warp_reduce.cuh"

namespace nbody {

// The acceleration of body i without G, by a warp: lane l adds up over bodies l, l + 32, ...
__device__ inline Sum acceleration_by_warp(const real4* bodies, std::size_t n, std::size_t i,
                                           real softening2) {
  const real4 body = bodies[i];
  Sum sum{0, 0, 0};
  for (std::size_t j = threadIdx.x % 32; j < n; j += 32) {
    if (j != i) sum.add(body, bodies[j], softening2);
  }
  const auto of_all = [](real x) { return over_warp(x, [](real a, real b) { return a + b; }); };
  return {of_all(sum.x), of_all(sum.y), of_all(sum.z)};
}

}  // namespace nbody
