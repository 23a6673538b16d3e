// Problem: the loop of rsqrt names bodies[i] in every iteration.
// Idea: body i in local variables, which are registers: qx, qy, qz, softening2 before the loop.
// Predicted: 1 x, since the compiler generates the same 21 instructions for both.
// Measured: 1.06 x.
// Why: another order of the same instructions, in which 6.7 warps wait for loads at each
// instruction issued instead of 7.4 (ncu: data/results/part3_ncu_orders.txt).
#pragma once

#include "../02_rsqrt.cuh"

namespace nbody {

__global__ void accelerations_in_registers(Body* bodies, std::size_t n, real G, real softening) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const real qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz;
  const real softening2 = softening * softening;
  real ax = 0, ay = 0, az = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (i != j) {
      const real dx = bodies[j].qx - qx;
      const real dy = bodies[j].qy - qy;
      const real dz = bodies[j].qz - qz;
      const real r2 = dx * dx + dy * dy + dz * dz + softening2;
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

class Registers : public Rsqrt {
 public:
  using Rsqrt::Rsqrt;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    timed("accelerations", [&] {
      accelerations_in_registers<<<blocks_for(n, block), block>>>(on_device.data(), n, G,
                                                                  softening);
    });
  }
};

}  // namespace nbody
