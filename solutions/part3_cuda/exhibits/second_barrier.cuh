// Problem: the second barrier of tiles "only costs time: all threads have waited after loading".
// Idea: tiles without it. But a warp that has finished a tile overwrites it with the next one
// while another warp still reads: a data race.
// Predicted: refused, undefined_behaviour; and faster.
// Measured: refused; 1.09 x, but its blocks have 1024 threads, those of tiles 256.
// Why: a data race is not always seen: with 256 threads no wrong body was.
#pragma once

#include "../04_tiles.cuh"

namespace nbody {

__global__ void accelerations_by_one_barrier(const real4* bodies, std::size_t n, real G,
                                             real softening, real4* result) {
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
      for (unsigned k = 0; k < size; ++k) sum.add(body, tile[k], softening * softening);
    }
  }
  if (i < n) result[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
}

class SecondBarrier : public Tiles {
 public:
  // Many warps of one block per scheduler: some get far ahead of others.
  static constexpr std::array block_sizes = {1024u, 16u, 32u, 64u, 128u, 256u, 512u};

  using Tiles::Tiles;

  void compute_accelerations() override {
    timed("accelerations", [&] {
      accelerations_by_one_barrier<<<blocks_for(n, block), block, block * sizeof(real4)>>>(
          bodies.data(), n, G, softening, acceleration.data());
    });
  }
};

}  // namespace nbody
