// Problem: the grid grows with n, so blocks start and end all the time.
// Idea: as many blocks as the GPU holds at once, or --grid; thread t takes bodies t, t + all
// threads, ...
// Predicted: 1 x, since with 131072 bodies the grid has the same 512 blocks.
// Measured: 1.19 x.
// Why: the instructions are the same, but blocks drift apart less: ncu
// (data/results/part3_ncu_loads.txt) shows 1.6 reads of all bodies from L2 by each multiprocessor
// where float4 has 2.1, and 43 % of the slots for warps filled instead of 39 %. A warp lives
// equally long in both. With --block 1024 both fill 50 %, read all bodies once and take the same
// time.
#pragma once

#include "../03_float4.cuh"
#include "cuda/occupancy.cuh"

namespace nbody {

__global__ void accelerations_by_stride(const real4* bodies, std::size_t n, real G, real softening,
                                        real4* result) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += all_threads) {
    const real4 body = bodies[i];
    Sum sum{0, 0, 0};
    // The compiler splits float4's loop into these two by itself, but not inside another loop.
    for (std::size_t j = 0; j < i; ++j) sum.add(body, bodies[j], softening * softening);
    for (std::size_t j = i + 1; j < n; ++j) sum.add(body, bodies[j], softening * softening);
    result[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
  }
}

class GridStride : public Float4 {
 public:
  static constexpr unsigned largest_grid = 65535;

  explicit GridStride(const Problem& problem)
      : Float4(problem),
        most_blocks(problem.tuning.grid > 0 ? problem.tuning.grid
                                            : blocks_at_once(accelerations_by_stride, block)) {}

  void compute_accelerations() override {
    const unsigned blocks = std::min(blocks_for(n, block), most_blocks);
    timed("accelerations", [&] {
      accelerations_by_stride<<<blocks, block>>>(bodies.data(), n, G, softening,
                                                 acceleration.data());
    });
  }

 private:
  unsigned most_blocks;
};

}  // namespace nbody
