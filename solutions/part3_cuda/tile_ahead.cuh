#pragma once

#include <cuda_pipeline.h>

#include "tiles.cuh"

namespace nbody {

__global__ void accelerations_by_tile_ahead(const real4* bodies, std::size_t n, real G,
                                            real softening, real4* result) {
  extern __shared__ real4 tiles[];  // two of them
  const std::size_t own_tile = std::size_t{blockIdx.x} * blockDim.x;
  const std::size_t i = own_tile + threadIdx.x;
  // Threads beyond the last body load and wait with the others; what they add up is not kept.
  const real4 body = bodies[i < n ? i : n - 1];
  Sum sum{0, 0, 0};
  const auto start_copy = [&](std::size_t first, real4* tile) {
    if (first + threadIdx.x < n) {
      __pipeline_memcpy_async(&tile[threadIdx.x], &bodies[first + threadIdx.x], sizeof(real4));
    }
    __pipeline_commit();
  };
  real4 *now = tiles, *next = tiles + blockDim.x;
  start_copy(0, now);
  for (std::size_t first = 0; first < n; first += blockDim.x) {
    __pipeline_wait_prior(0);  // this thread's body has arrived,
    __syncthreads();           // and those of all; and all have read the tile before
    start_copy(first + blockDim.x, next);
    const unsigned size = size_of_tile(first, n);
    // Only in the tile of its own bodies can a thread meet itself.
    if (first == own_tile) {
      for (unsigned k = 0; k < size; ++k) {
        if (k != threadIdx.x) sum.add(body, now[k], softening * softening);
      }
    } else {
      for (unsigned k = 0; k < size; ++k) sum.add(body, now[k], softening * softening);
    }
    real4* const read = now;
    now = next;
    next = read;
  }
  if (i < n) result[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
}

// Exhibit: what does not pay here.
// Problem: all warps of a block wait while a tile is loaded.
// Idea: two tiles. While one is read, the GPU copies the next one from memory straight to shared
// memory (cp.async), without registers; one barrier a tile is enough.
// Changed: the copy, one tile ahead.
// Predicted: 1.02 x tiles with 131072 bodies. A tile of 256 bodies is loaded once and read 256
// times, and while one block waits the others compute. Measured: 1.01 x.
class TileAhead : public Tiles {
 public:
  using Tiles::Tiles;

  void compute_accelerations() override {
    timed("accelerations", [&] {
      accelerations_by_tile_ahead<<<blocks_for(n, block), block, 2 * block * sizeof(real4)>>>(
          bodies.data(), n, G, softening, acceleration.data());
    });
  }
};

}  // namespace nbody
