// Problem: every thread reads all bodies from global memory.
// Idea: the threads of a block together load a tile into shared memory, where all read it: global
// loads fall by a factor of the block size. It takes an outer loop over tiles and two barriers.
// Predicted: 1.08 x, since 17.5 instructions become 16.25.
// Measured: 1.47 x; with 4096 bodies 3.04 x (data/results/part3_study_sizes.json).
// Why: shared memory responds faster than the cache; this matters most with few warps.
// Limit: issue slots
#pragma once

#include "03_float4.cuh"

namespace nbody {

// A block works through the bodies tile by tile; each thread loads one body of the tile. The
// compiler unrolls the loop over it by 4 (exhibits/unrolled.cuh).
template <unsigned unroll = 4>
__global__ void accelerations_by_tiles(const real4* bodies, std::size_t n, real G, real softening,
                                       real4* result) {
  extern __shared__ real4 tile[];  // the third argument of the launch says how large
  const std::size_t own_tile = std::size_t{blockIdx.x} * blockDim.x;
  const std::size_t i = own_tile + threadIdx.x;
  // Threads beyond the last body load and wait with the others; what they add up is not kept.
  const real4 body = bodies[i < n ? i : n - 1];
  Sum sum{0, 0, 0};
  for (std::size_t first = 0; first < n; first += blockDim.x) {
    if (first + threadIdx.x < n) tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();  // no thread reads before all have written
    const unsigned size = size_of_tile(first, n);
    // Only in the tile of its own bodies is a thread its own body j.
    if (first == own_tile) {
      for (unsigned k = 0; k < size; ++k) {
        if (k != threadIdx.x) sum.add(body, tile[k], softening * softening);
      }
    } else {
#pragma unroll unroll
      for (unsigned k = 0; k < size; ++k) sum.add(body, tile[k], softening * softening);
    }
    __syncthreads();  // no thread writes the next tile before all have read this one
  }
  if (i < n) result[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
}

class Tiles : public Float4 {
 public:
  using Float4::Float4;

  void compute_accelerations() override {
    timed("accelerations", [&] {
      accelerations_by_tiles<><<<blocks_for(n, block), block, block * sizeof(real4)>>>(
          bodies.data(), n, G, softening, acceleration.data());
    });
  }
};

}  // namespace nbody
