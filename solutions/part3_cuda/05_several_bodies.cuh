#pragma once

#include "support/interaction.cuh"
#include "support/padded_arrays.cuh"

namespace nbody {

// Eq. 1-3 without G: body j of a tile for the I bodies of a thread. Only in a tile of the block's
// own bodies (own_tile) can j be one of them: number `self`.
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
    const real pull = j_mass * inverse;
    sum[i].x += pull * dx;
    sum[i].y += pull * dy;
    sum[i].z += pull * dz;
  }
}

// A block has threads * I bodies i, and the tiles of one share of all bodies j.
template <int I, int threads, bool neighbours, int unroll, int min_blocks>
__global__ __launch_bounds__(threads, min_blocks) void add_tiles(Arrays bodies, unsigned tiles,
                                                                 real softening2, Arrays part) {
  // The mass is separate, and body i is read number by number: a load of four would put j.w, or
  // body.x and j.x, into registers of one bank (log.md).
  __shared__ real4 position[2][threads];  // w is not used
  __shared__ real mass[2][threads];
  const unsigned first = blockIdx.x * threads * I;
  const Slice share = slice_of(tiles, gridDim.y, blockIdx.y);

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

  // Two buffers: while one tile is read, the next one is on its way, and one barrier is enough.
  if (share.size() > 0) store(0, at(bodies, share.first * threads + threadIdx.x));
  __syncthreads();
  for (std::size_t t = share.first; t < share.last; ++t) {
    const unsigned now = (t - share.first) % 2;
    real4 next{};
    if (t + 1 < share.last) next = at(bodies, (t + 1) * threads + threadIdx.x);
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
    if (t + 1 < share.last) store(1 - now, next);
    __syncthreads();
  }
  const std::size_t padded = std::size_t{gridDim.x} * threads * I;
  for (int i = 0; i < I; ++i) {
    store_sum<neighbours>(part, blockIdx.y * padded + first + i * threads + threadIdx.x, sum[i]);
  }
}

// The shares of every body, always in the same order.
template <bool neighbours>
__global__ void add_shares(unsigned shares, std::size_t padded, std::size_t n, real G, Arrays part,
                           Arrays result) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  real4 total{0, 0, 0, no_neighbour};
#pragma unroll 4
  for (unsigned share = 0; share < shares; ++share) {
    add_part<neighbours>(total, part, share * padded + i);
  }
  store_sum<neighbours>(result, i, {G * total.x, G * total.y, G * total.z, total.w});
}

// I bodies per thread, `threads` threads per block, and for the same bodies one block per share.
template <int I, int threads>
class BodiesInRegisters : public PaddedArrays {
 public:
  BodiesInRegisters(const Problem& problem, unsigned shares)
      : PaddedArrays(problem, tile), shares(shares), part(shares * padded()) {}

 protected:
  void launch_accelerations(bool neighbours) override {
    if (neighbours) {
      launch<true>();
    } else {
      launch<false>();
    }
  }

 private:
  static constexpr int tile = I * threads;  // bodies of a block
  unsigned shares;
  DeviceArrays part;

  std::size_t padded() const { return rounded_up(n, tile); }

  template <bool neighbours>
  void launch() {
    constexpr int unroll = sizeof(real) == 8 ? 2 : neighbours ? 4 : 8;
    constexpr int min_blocks = (I * sizeof(real) > 16 ? 512 : 768) / threads;
    const dim3 grid(blocks_for(n, tile), shares);
    add_tiles<I, threads, neighbours, unroll, min_blocks>
        <<<grid, threads, 0, stream>>>(bodies.view(), grid.x * I, softening2, part.view());
    add_shares<neighbours><<<blocks_for(n, block), block, 0, stream>>>(
        shares, padded(), n, G, part.view(), acceleration.view());
  }
};

// Problem: tiles loads a body j for each interaction: one instruction of fifteen.
// Idea: a thread keeps several bodies i in registers, and each loaded body j serves all of them.
// Their sums are independent chains, so few warps keep a multiprocessor busy.
// Changed: arrays of I bodies and sums; padded arrays, so that the last block has no remainder. The
// kernel is new.
// Predicted: 1.18 x unrolled, 15.6 instructions become 13.3. Measured: 1.20 x with 262144 bodies,
// 1.07 x with 131072, 0.37 x with 4096: a block has 1024 bodies, and with 131072 of them there are
// fewer blocks than multiprocessors.
class SeveralBodies : public BodiesInRegisters<sizeof(real) == 4 ? 8 : 4, 128> {
 public:
  explicit SeveralBodies(const Problem& problem) : BodiesInRegisters(problem, 1) {}
};

}  // namespace nbody
