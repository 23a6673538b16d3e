// Problem: of the 40 instructions that an interaction executes (ncu:
// data/results/part3_profiler.json) an exact root and an exact division are twenty.
// Idea: one GPU instruction gives 1/sqrt to nearly the last digit of a float: rsqrt(r2) instead of
// 1 / sqrt(r2), and the flag -ftz=true. (In double the library refines the approximation, and the
// result is as exact as before.) Without the flag, a float below 2^-126 (subnormal) must be right,
// too, and the compiler puts tests and scaling around the instruction; but no r2 is that small.
// Predicted: 2.3 x, since 48 instructions per interaction in the machine code become 21 (24 without
// the flag).
// Measured: 1.11 x.
// Why: of the 48 seven are calls for rare cases, and 39.9 executed become 20.4. But the four loads
// of a body j are left: now the threads wait for those. Added to naive with 65536 bodies, both
// together gain 1.69 x.
// Limit: loads of body j
#pragma once

#include "01_resident.cuh"

namespace nbody {

__global__ void accelerations_by_rsqrt(Body* bodies, std::size_t n, real G, real softening) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  real ax = 0, ay = 0, az = 0;
  // std::size_t: with an `int` for j naive was 12 % slower (docs/results.md).
  for (std::size_t j = 0; j < n; ++j) {
    if (i != j) {
      const real dx = bodies[j].qx - bodies[i].qx;
      const real dy = bodies[j].qy - bodies[i].qy;
      const real dz = bodies[j].qz - bodies[i].qz;
      const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
      const real inverse_r = rsqrt(r2);
      const real weight = bodies[j].mass * inverse_r * inverse_r * inverse_r;
      ax += weight * dx;
      ay += weight * dy;
      az += weight * dz;
    }
  }
  bodies[i].ax = G * ax;
  bodies[i].ay = G * ay;
  bodies[i].az = G * az;
}

class Rsqrt : public Resident {
 public:
  using Resident::Resident;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    timed("accelerations", [&] {
      accelerations_by_rsqrt<<<blocks_for(n, block), block>>>(on_device.data(), n, G, softening);
    });
  }
};

}  // namespace nbody
