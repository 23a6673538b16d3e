#pragma once

#include "float4.cuh"

namespace nbody {

template <typename T>
__global__ void accelerations_by_tile_index(const Four<T>* bodies, std::size_t n, T G, T softening,
                                            Four<T>* result) {
  Four<T>* tile = shared_memory<Four<T>>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const Four<T> body = bodies[i < n ? i : n - 1];
  Sum<T> sum{T(0), T(0), T(0)};
  unsigned t = 0;
  for (std::size_t first = 0; first < n; first += blockDim.x, ++t) {
    tile[threadIdx.x] = bodies[first + t < n ? first + t : n - 1];
    __syncthreads();
    const unsigned size = size_of_tile(first, n);
    for (unsigned k = 0; k < size; ++k) {
      const Four<T> other = tile[k];
      const bool itself = other.x == body.x && other.y == body.y && other.z == body.z;
      if (!itself) sum.add(body, other, softening * softening);
    }
    __syncthreads();
  }
  if (i < n) result[i] = {G * sum.x, G * sum.y, G * sum.z, T(0)};
}

// Exhibit: the bug of a published kernel.
// Problem: none; these are tiles, and the energy even looks constant for a while.
// Idea: the index of the tile stands where that of the thread belongs, so that all rows of a tile
// hold the same body.
// Changed: `first + t` for `first + threadIdx.x`.
// Predicted and measured: wrong, from two bodies on. The diagnosis names the index.
template <typename T>
class TileIndex : public Float4<T> {
 public:
  static constexpr std::array block_sizes = {64u, 16u, 32u, 128u, 256u, 512u, 1024u};

  using Float4<T>::Float4;

  void compute_accelerations() override {
    timed("accelerations", [&] {
      accelerations_by_tile_index<<<blocks_for(this->n(), this->block), this->block,
                                    this->block * sizeof(Four<T>)>>>(
          this->bodies.data(), this->n(), this->G, this->softening, this->acceleration.data());
    });
  }
};

}  // namespace nbody
