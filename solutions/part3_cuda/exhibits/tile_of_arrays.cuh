// Problem: tiles keeps four fields of a body together. Textbooks draw a tile of plain floats.
// Idea: an array for each number, of a fixed size, so that the compiler knows how it is aligned
// and reads a number of four bodies with one load. All lanes read the same element at once (a
// broadcast), so neither layout has bank conflicts.
// Predicted: 0.94 x, since 16.25 instructions become 17.25; there are as many loads.
// Measured: 1.11 x.
// Why: nvcc unrolls this loop by 16 and that of tiles by 4. It has 15.6 instructions an
// interaction, and uses a root some 10 instructions later instead of 2 or 3: 0.4 warps wait for
// roots and shared memory at each instruction issued instead of 1.2, and 84 % of the issue slots
// are used instead of 79 % (ncu: data/results/part3_ncu_orders.txt).
#pragma once

#include "../04_tiles.cuh"

namespace nbody {

constexpr unsigned largest_tile = 1024;

__global__ void accelerations_by_tile_of_arrays(const real4* bodies, std::size_t n, real G,
                                                real softening, real4* result) {
  __shared__ real x[largest_tile], y[largest_tile], z[largest_tile], mass[largest_tile];
  const std::size_t own_tile = std::size_t{blockIdx.x} * blockDim.x;
  const std::size_t i = own_tile + threadIdx.x;
  // Threads beyond the last body load and wait with the others; what they add up is not kept.
  const real4 body = bodies[i < n ? i : n - 1];
  Sum sum{0, 0, 0};
  for (std::size_t first = 0; first < n; first += blockDim.x) {
    if (first + threadIdx.x < n) {
      const real4 own = bodies[first + threadIdx.x];
      x[threadIdx.x] = own.x;  // neighbouring threads, neighbouring banks
      y[threadIdx.x] = own.y;
      z[threadIdx.x] = own.z;
      mass[threadIdx.x] = own.w;
    }
    __syncthreads();  // no thread reads before all have written
    const unsigned size = size_of_tile(first, n);
    // Only in the tile of its own bodies is a thread its own body j.
    if (first == own_tile) {
      for (unsigned k = 0; k < size; ++k) {
        if (k != threadIdx.x) sum.add(body, {x[k], y[k], z[k], mass[k]}, softening * softening);
      }
    } else {
      for (unsigned k = 0; k < size; ++k) {
        sum.add(body, {x[k], y[k], z[k], mass[k]}, softening * softening);
      }
    }
    __syncthreads();  // no thread writes the next tile before all have read this one
  }
  if (i < n) result[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
}

class TileOfArrays : public Tiles {
 public:
  using Tiles::Tiles;

  void compute_accelerations() override {
    timed("accelerations", [&] {
      accelerations_by_tile_of_arrays<<<blocks_for(n, block), block>>>(
          bodies.data(), n, G, softening, acceleration.data());
    });
  }
};

}  // namespace nbody
