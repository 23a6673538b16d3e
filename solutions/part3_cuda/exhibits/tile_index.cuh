// Problem: none; this is tiles with the bug of a published kernel.
// Idea: the tile is loaded by the tile's index instead of the thread's (`first + t` for `first +
// threadIdx.x`), so all elements of a tile hold the same body.
// Predicted: refused, sources_repeated: wrong from two bodies on.
// Measured: refused; 0.62 x.
// Why: the diagnosis names the index; the energy even looks constant for a while.
#pragma once

#include "../04_tiles.cuh"

namespace nbody {

__global__ void accelerations_by_tile_index(const real4* bodies, std::size_t n, real G,
                                            real softening, real4* result) {
  extern __shared__ real4 tile[];  // the third argument of the launch says how large
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // Threads beyond the last body load and wait with the others; what they add up is not kept.
  const real4 body = bodies[i < n ? i : n - 1];
  Sum sum{0, 0, 0};
  unsigned t = 0;
  for (std::size_t first = 0; first < n; first += blockDim.x, ++t) {
    tile[threadIdx.x] = bodies[first + t < n ? first + t : n - 1];
    __syncthreads();  // no thread reads before all have written
    const unsigned size = size_of_tile(first, n);
    for (unsigned k = 0; k < size; ++k) {
      const real4 other = tile[k];
      const bool itself = other.x == body.x && other.y == body.y && other.z == body.z;
      if (!itself) sum.add(body, other, softening * softening);
    }
    __syncthreads();  // no thread writes the next tile before all have read this one
  }
  if (i < n) result[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
}

class TileIndex : public Tiles {
 public:
  static constexpr std::array block_sizes = {64u, 16u, 32u, 128u, 256u, 512u, 1024u};

  using Tiles::Tiles;

  void compute_accelerations() override {
    timed("accelerations", [&] {
      accelerations_by_tile_index<<<blocks_for(n, block), block, block * sizeof(real4)>>>(
          bodies.data(), n, G, softening, acceleration.data());
    });
  }
};

}  // namespace nbody
