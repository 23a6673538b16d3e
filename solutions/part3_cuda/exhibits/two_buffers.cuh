// Problem: a body must not move while others still need its position, so grid_sync has two
// barriers in each step.
// Idea: two buffers. A step reads positions in one and writes those after the step into the other,
// so forces and motion need nothing between them: the end of a launch is the only barrier. Then
// the buffers are swapped.
// Predicted: 1.5 x with 1024 bodies and fixed steps: 4 us a step, 2 for the forces and 2 for the
// launch.
// Measured: 0.946 x, 6.5 us a step; 0.63 x with 64 bodies, 1.34 x with 131072.
// Why: a launch costs more than two barriers: with 64 bodies, next to no work, a step takes 4.3 us
// here and 2.7 in grid_sync. With many bodies nothing waits for the whole grid between two steps.
#pragma once

#include <array>

#include "../03_float4.cuh"
#include "../support/warp_per_body.cuh"

namespace nbody {

// One step: a warp finds the acceleration of its body, and its first lane moves the body. All warps
// read the positions in `now`, which nobody changes, and write into `next`.
__global__ void step_into_other_buffer(const real4* now, real4* next, real4* velocity,
                                       real4* acceleration, std::size_t n, real G, real softening,
                                       real dt) {
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  if (i >= n) return;  // the whole warp
  const Sum sum = acceleration_by_warp(now, n, i, softening * softening);
  if (threadIdx.x % 32 != 0) return;
  real4 body = now[i];
  const real4 a{G * sum.x, G * sum.y, G * sum.z, 0};
  move_body(body, velocity[i], a, dt);
  next[i] = body;
  acceleration[i] = a;
}

class TwoBuffers : public Float4 {
 public:
  static constexpr std::array block_sizes = {256u, 32u, 64u, 128u, 512u, 1024u};  // whole warps

  explicit TwoBuffers(const Problem& problem) : Float4(problem), next(n) {}

  double advance(std::uint64_t count, const StepRule& rule) override {
    if (rule.adaptive) return Float4::advance(count, rule);
    for (std::uint64_t step = 0; step < count; ++step) {
      timed("step", [&] {
        step_into_other_buffer<<<blocks_for(32 * n, block), block>>>(
            bodies.data(), next.data(), velocity.data(), acceleration.data(), n, G, softening,
            static_cast<real>(rule.dt));
      });
      std::swap(bodies, next);
    }
    cuda_check(cudaDeviceSynchronize());
    return static_cast<double>(count) * rule.dt;
  }

 private:
  DeviceArray<real4> next;
};

}  // namespace nbody
