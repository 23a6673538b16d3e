#pragma once

#include <algorithm>

#include "interaction.cuh"
#include "padded_arrays.cuh"

namespace nbody {

// A block has threads * I bodies i, and the tiles of one share of all bodies j.
template <typename T, int I, int threads, bool neighbours, int unroll, int min_blocks>
__global__ __launch_bounds__(threads, min_blocks) void add_tiles(Arrays<T> bodies, unsigned tiles,
                                                                 T softening2, Arrays<T> part) {
  __shared__ Four<T> position[2][threads];  // w is not used
  __shared__ T mass[2][threads];
  const unsigned first = blockIdx.x * threads * I;
  const Slice share = slice_of(tiles, gridDim.y, blockIdx.y);

  // Number by number: a load of four would put body.x and j.x into registers of one bank.
  Four<T> body[I], sum[I];
  for (int i = 0; i < I; ++i) {
    const unsigned own = first + i * threads + threadIdx.x;
    body[i] = {bodies.x[own], bodies.y[own], bodies.z[own], T(0)};
    sum[i] = {T(0), T(0), T(0), no_neighbour<T>};
  }
  const auto load = [&](std::size_t tile) {
    const std::size_t j = tile * threads + threadIdx.x;
    return Four<T>{bodies.x[j], bodies.y[j], bodies.z[j], bodies.w[j]};
  };
  const auto store = [&](unsigned buffer, const Four<T>& j) {
    position[buffer][threadIdx.x] = j;
    mass[buffer][threadIdx.x] = j.w;
  };
  // Only in tiles of the block's own bodies can j be body `self` of the thread.
  const auto meet = [&](const Four<T> j, T j_mass, auto own_tile, int self) {
#pragma unroll
    for (int i = 0; i < I; ++i) {
      const T dx = j.x - body[i].x;
      const T dy = j.y - body[i].y;
      const T dz = j.z - body[i].z;
      T d2 = dz * dz + (dy * dy + (dx * dx + (neighbours ? T(0) : softening2)));
      T inverse = inverse_cube(neighbours ? d2 + softening2 : d2);
      if constexpr (decltype(own_tile)::value) {
        if (self == i) {
          inverse = T(0);
          d2 = no_neighbour<T>;
        }
      }
      if constexpr (neighbours) sum[i].w = min(sum[i].w, d2);
      const T pull = j_mass * inverse;
      sum[i].x += pull * dx;
      sum[i].y += pull * dy;
      sum[i].z += pull * dz;
    }
  };

  // Two buffers: while one tile is read, the next one is on its way, and one barrier is enough.
  if (share.size() > 0) store(0, load(share.first));
  __syncthreads();
  for (std::size_t t = share.first; t < share.last; ++t) {
    const unsigned now = (t - share.first) % 2;
    Four<T> next{};
    if (t + 1 < share.last) next = load(t + 1);
    const int own = static_cast<int>(t) - static_cast<int>(blockIdx.x * I);
    if (own >= 0 && own < I) {
      for (int k = 0; k < threads; ++k) {
        const bool self = k == static_cast<int>(threadIdx.x);
        meet(position[now][k], mass[now][k], std::true_type{}, self ? own : -1);
      }
    } else {
#pragma unroll unroll
      for (int k = 0; k < threads; ++k) {
        meet(position[now][k], mass[now][k], std::false_type{}, -1);
      }
    }
    if (t + 1 < share.last) store(1 - now, next);
    __syncthreads();
  }
  const std::size_t padded = std::size_t{gridDim.x} * threads * I;
  for (int i = 0; i < I; ++i) {
    const std::size_t at = blockIdx.y * padded + first + i * threads + threadIdx.x;
    part.x[at] = sum[i].x;
    part.y[at] = sum[i].y;
    part.z[at] = sum[i].z;
    if constexpr (neighbours) part.w[at] = sum[i].w;
  }
}

// The shares of every body, always in the same order.
template <typename T, bool neighbours>
__global__ void add_shares(unsigned shares, std::size_t padded, std::size_t n, T G, Arrays<T> part,
                           Arrays<T> result) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Four<T> total{T(0), T(0), T(0), no_neighbour<T>};
#pragma unroll 4
  for (unsigned share = 0; share < shares; ++share) {
    const std::size_t at = share * padded + i;
    total.x += part.x[at];
    total.y += part.y[at];
    total.z += part.z[at];
    if constexpr (neighbours) total.w = min(total.w, part.w[at]);
  }
  result.x[i] = G * total.x;
  result.y[i] = G * total.y;
  result.z[i] = G * total.z;
  if constexpr (neighbours) result.w[i] = total.w;
}

// Problem: tiles loads a body j for each interaction, one instruction of fifteen.
// Idea: a thread has several bodies i in registers, and a body j that it has loaded serves them
// all. Their sums are independent chains, so that few warps keep a multiprocessor busy.
// Changed: arrays of I bodies and sums; padded arrays, so that the last block has no tail.
// Predicted: 1.18 x unrolled, 15.6 instructions become 13.3. Measured: 1.19 x with 262144 bodies,
// 1.05 x with 131072, 0.37 x with 4096: a block has 1024 bodies, and with 131072 of them there are
// fewer blocks than multiprocessors.
template <typename T, int I = sizeof(T) == 4 ? 8 : 4, int threads = 128>
class SeveralBodies : public PaddedArrays<T> {
 public:
  explicit SeveralBodies(const Problem<T>& problem) : SeveralBodies(problem, 1) {}

 protected:
  SeveralBodies(const Problem<T>& problem, unsigned shares)
      : PaddedArrays<T>(problem, tile), shares(shares), part(shares * padded()) {}

  static constexpr int tile = I * threads;  // bodies of a block

  void launch_accelerations(bool neighbours) override {
    if (neighbours) {
      launch<true>();
    } else {
      launch<false>();
    }
  }

 private:
  unsigned shares;
  DeviceArrays<T> part;

  std::size_t padded() const { return rounded_up(this->n, tile); }

  template <bool neighbours>
  void launch() {
    constexpr int unroll = sizeof(T) == 8 ? 2 : neighbours ? 4 : 8;
    constexpr int min_blocks = (I * sizeof(T) > 16 ? 512 : 768) / threads;
    const dim3 grid(blocks_for(this->n, tile), shares);
    add_tiles<T, I, threads, neighbours, unroll, min_blocks><<<grid, threads, 0, this->stream>>>(
        this->bodies.view(), grid.x * I, this->softening2, part.view());
    add_shares<T, neighbours><<<blocks_for(this->n, this->block), this->block, 0, this->stream>>>(
        shares, padded(), this->n, this->G, part.view(), this->acceleration.view());
  }
};

}  // namespace nbody
