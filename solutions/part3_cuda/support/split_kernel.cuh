#pragma once

#include "interaction.cuh"
#include "padded_arrays.cuh"

// several_bodies as split needs it. Beside the chunk of bodies j there are four things that only
// make it faster, and one that saves a kernel:
//   two buffers: the next tile is on its way while one is read, and one barrier is enough;
//   the mass stands apart, and body i is read number by number, because of register banks
//   (solutions/README.md);
//   all blocks are full: the arrays are padded by bodies without mass;
//   __launch_bounds__ says how many blocks of a multiprocessor the registers must suffice for;
//   `neighbours`: the nearest neighbours are found along with the accelerations.
namespace nbody {

// Eq. 1-3 without G: body j of a tile for the I bodies of a thread. Only in a tile of the block's
// own bodies (own_tile) can j be one of them: number `self`. With `neighbours`, sum.w becomes the
// squared distance of the nearest body.
template <bool own_tile, bool neighbours, int I>
__device__ inline void add_body(const real4 (&body)[I], real4 (&sum)[I], const real4 j, real j_mass,
                                real softening2, int self) {
#pragma unroll
  for (int i = 0; i < I; ++i) {
    const real dx = j.x - body[i].x;
    const real dy = j.y - body[i].y;
    const real dz = j.z - body[i].z;
    real d2 = dz * dz + (dy * dy + (dx * dx + (neighbours ? 0 : softening2)));
    real inverse = inverse_cube(neighbours ? d2 + softening2 : d2);
    if (own_tile && self == i) {
      inverse = 0;
      d2 = no_neighbour;
    }
    if constexpr (neighbours) sum[i].w = min(sum[i].w, d2);
    const real weight = j_mass * inverse;
    sum[i].x += weight * dx;
    sum[i].y += weight * dy;
    sum[i].z += weight * dz;
  }
}

// A block has threads * I bodies i, and the tiles of one chunk of all bodies j.
template <int I, int threads, bool neighbours, int unroll, int min_blocks>
__global__ __launch_bounds__(threads, min_blocks) void add_tiles(Arrays bodies, unsigned tiles,
                                                                 real softening2, Arrays partial) {
  __shared__ real4 position[2][threads];  // w is not used
  __shared__ real mass[2][threads];
  const unsigned first = blockIdx.x * threads * I;
  const Slice chunk = slice_of(tiles, gridDim.y, blockIdx.y);

  real4 body[I], sum[I];
  for (int i = 0; i < I; ++i) {
    const unsigned own = first + i * threads + threadIdx.x;
    body[i] = {bodies.x[own], bodies.y[own], bodies.z[own], 0};
    sum[i] = {0, 0, 0, no_neighbour};
  }
  const auto store = [&](unsigned buffer, const real4& j) {
    position[buffer][threadIdx.x] = j;
    mass[buffer][threadIdx.x] = j.w;
  };

  if (chunk.size() > 0) store(0, at(bodies, chunk.first * threads + threadIdx.x));
  __syncthreads();
  for (std::size_t t = chunk.first; t < chunk.last; ++t) {
    const unsigned now = (t - chunk.first) % 2;
    real4 next{};
    if (t + 1 < chunk.last) next = at(bodies, (t + 1) * threads + threadIdx.x);
    const int own = static_cast<int>(t) - static_cast<int>(blockIdx.x * I);
    if (own >= 0 && own < I) {
      for (int k = 0; k < threads; ++k) {
        const bool self = k == static_cast<int>(threadIdx.x);
        add_body<true, neighbours>(body, sum, position[now][k], mass[now][k], softening2,
                                   self ? own : -1);
      }
    } else {
#pragma unroll unroll
      for (int k = 0; k < threads; ++k) {
        add_body<false, neighbours>(body, sum, position[now][k], mass[now][k], softening2, -1);
      }
    }
    if (t + 1 < chunk.last) store(1 - now, next);
    __syncthreads();
  }
  const std::size_t padded = std::size_t{gridDim.x} * threads * I;
  for (int i = 0; i < I; ++i) {
    store_sum<neighbours>(partial, blockIdx.y * padded + first + i * threads + threadIdx.x, sum[i]);
  }
}

}  // namespace nbody
