// Problem: each step of split is three launches, and every launch waits for the last block of the
// one before.
// Idea: one launch for all steps. A cooperative launch promises that all blocks run at once, so
// they can wait for each other inside the kernel: grid.sync(). A warp computes the acceleration of
// a body: with few bodies a thread alone would spend its time in waiting for one load after the
// other.
// Predicted: 2.3 x with 1024 bodies and fixed steps: 5 us a step, 2 for the forces and 1.2 for
// each barrier, instead of 11.7 (data/results/part3_study_sizes.json).
// Measured: 2.29 x, 6.2 us a step instead of 14.1 (data/results/part3_study_barriers.json; from
// 11.7 it would be 1.90); 4.45 x with 64 bodies, 0.48 x with 131072.
// Why: the sixth us is not explained. Many bodies want more than
// one warp's loads for each: that is what tiles are for.
#pragma once

#include <cooperative_groups.h>

#include <array>

#include "../support/warp_per_body.cuh"
#include "grid_stride.cuh"

namespace nbody {

// All steps: forces, a barrier of all blocks, Eq. 5 and 4, and a barrier again.
__global__ void steps_with_grid_sync(real4* bodies, real4* velocity, real4* acceleration,
                                     std::size_t n, real G, real softening, std::uint64_t steps,
                                     real dt) {
  const auto grid = cooperative_groups::this_grid();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::uint64_t step = 0; step < steps; ++step) {
    for (std::size_t i = thread / 32; i < n; i += all_threads / 32) {
      const Sum sum = acceleration_by_warp(bodies, n, i, softening * softening);
      if (thread % 32 == 0) acceleration[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
    }
    grid.sync();  // no body moves while others still need its position
    for (std::size_t i = thread; i < n; i += all_threads) {
      move_body(bodies[i], velocity[i], acceleration[i], dt);
    }
    grid.sync();
  }
}

class GridSync : public GridStride {
 public:
  static constexpr unsigned largest_grid = 0;  // all blocks must run at once
  static constexpr std::array block_sizes = {256u, 32u, 64u, 128u, 512u, 1024u};  // whole warps

  explicit GridSync(const Problem& problem)
      : GridStride(problem), most_blocks(blocks_at_once(steps_with_grid_sync, block)) {}

  double advance(std::uint64_t count, const StepRule& rule) override {
    if (rule.adaptive || count == 0) return GridStride::advance(count, rule);
    unsigned blocks = std::min(blocks_for(32 * n, block), most_blocks);
    real4 *q = bodies.data(), *v = velocity.data(), *a = acceleration.data();
    real dt = static_cast<real>(rule.dt);
    std::array<void*, 8> arguments = {&q, &v, &a, &n, &G, &softening, &count, &dt};
    timed("all steps", [&] {
      cuda_check(cudaLaunchCooperativeKernel(steps_with_grid_sync, dim3(blocks), dim3(block),
                                             arguments.data(), 0, nullptr));
    });
    cuda_check(cudaDeviceSynchronize());
    return static_cast<double>(count) * rule.dt;
  }

 private:
  unsigned most_blocks;
};

}  // namespace nbody
