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

// Eq. 5 with the old velocity, then Eq. 4. Three: of three numbers or more, of which three count.
template <typename Three>
__device__ void move_body(real4& q, Three& v, const Three& a, real dt) {
  q.x += v.x * dt + a.x * dt * dt / 2;
  q.y += v.y * dt + a.y * dt * dt / 2;
  q.z += v.z * dt + a.z * dt * dt / 2;
  v.x += a.x * dt;
  v.y += a.y * dt;
  v.z += a.z * dt;
}

}  // namespace nbody
