// Problem: 131072 bodies, two per thread, are 65536 threads, and 4096 are 2048; the GPU holds a
// quarter of a million.
// Idea: several threads per body, each for a chunk of the bodies j: a grid of two dimensions. A
// second kernel adds their sums in the order of the chunks, so two runs give the same bits. (The
// kernel in support/split_kernel.cuh is tuned, too; its comment says how.)
// Predicted: 1 x with 131072 bodies, whose blocks were taken to fill the multiprocessors; up to
// 16 x with 4096, because the GPU is nearly empty.
// Measured: 1.25 x; with 4096 bodies 5.9 x tiles (data/results/part3_study_sizes.json).
// Why: with 131072 bodies the GPU was not full, either. Now each scheduler has 5.8 warps instead of
// 3.4, and 13.7 instructions per interaction instead of 15.0 fill 86 % of its issue slots, not 77 %
// (ncu: data/results/part3_profiler.json).
// Limit: issue slots
#pragma once

#include <algorithm>

#include "cuda/occupancy.cuh"
#include "support/chunks.hpp"
#include "support/split_kernel.cuh"

namespace nbody {

// The sums over the chunks, for every body in the same order.
template <bool neighbours>
__global__ void add_chunks(unsigned chunks, std::size_t padded, std::size_t n, real G,
                           Arrays partial, Arrays result) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  real4 total{0, 0, 0, no_neighbour};
#pragma unroll 4
  for (unsigned chunk = 0; chunk < chunks; ++chunk) {
    add_part<neighbours>(total, partial, chunk * padded + i);
  }
  store_sum<neighbours>(result, i, {G * total.x, G * total.y, G * total.z, total.w});
}

class Split : public PaddedArrays {
 public:
  explicit Split(const Problem& problem)
      : PaddedArrays(problem, of_block),
        chunks(chunks_for(n)),
        partial(chunks * rounded_up(n, of_block)) {}

 protected:
  void launch_accelerations(bool neighbours) override {
    if (neighbours) {
      launch<true>();
    } else {
      launch<false>();
    }
  }

 private:
  static constexpr int of_thread = 4, threads = 64, of_block = of_thread * threads;  // bodies i
  unsigned chunks;
  DeviceArrays partial;

  // One row of blocks for each chunk of the bodies j.
  template <bool neighbours>
  void launch() {
    constexpr int unroll = sizeof(real) == 8 ? 2 : neighbours ? 4 : 8;
    constexpr int min_blocks = (of_thread * sizeof(real) > 16 ? 512 : 768) / threads;
    const dim3 grid(blocks_for(n, of_block), chunks);
    add_tiles<of_thread, threads, neighbours, unroll, min_blocks><<<grid, threads, 0, stream>>>(
        bodies.view(), grid.x * of_thread, softening2, partial.view());
    add_chunks<neighbours><<<blocks_for(n, block), block, 0, stream>>>(
        chunks, rounded_up(n, of_block), n, G, partial.view(), acceleration.view());
  }

  static unsigned chunks_for(std::size_t n) {
    constexpr unsigned blocks_each = sizeof(real) == 4 ? 12 : 8;  // limited by registers
    const unsigned blocks = blocks_for(n, of_block), tiles = of_thread * blocks;
    // Sums over 4096 bodies, up to a million bodies: then memory matters more. Not needed in
    // double.
    const unsigned longest = sizeof(real) == 8 ? tiles : std::max(4096u / threads, tiles / 256);
    return best_chunks(blocks, tiles, multiprocessors() * blocks_each, longest);
  }
};

}  // namespace nbody
