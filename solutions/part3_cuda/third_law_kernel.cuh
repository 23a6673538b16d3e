#pragma once

#include "interaction.cuh"
#include "padded_arrays.cuh"
#include "third_law_plan.hpp"

namespace nbody {

// Bodies j in shared memory. The mass is apart: one load of four numbers would put it into the
// fourth of four neighbouring registers, and half of its products would read one register bank
// twice (a register's number modulo 2 is its bank, a bank gives one operand a cycle).
template <typename T, int size>
struct Tile {
  Four<T> position[size];  // w is not used
  T mass[size];
};

// One warp: its 32 * I bodies, I in the registers of each lane, against 32 bodies j of a tile. In
// step `turn` lane l meets j = l + turn (around 32); the sum for j then moves to the next lane.
// The root of body i is asked for `ahead` bodies before its sums need it.
template <typename T, int I, bool neighbours, bool diagonal, int unroll, int ahead>
__device__ inline void meet(const Four<T> (&body)[I], Four<T> (&sum)[I], const Tile<T, 64>& tile,
                            Four<T>& j_sum, T softening2, int i_minus_j) {
  const int lane = threadIdx.x % 32;
  T jx = 0, jy = 0, jz = 0, j_near = no_neighbour<T>;
#pragma unroll unroll
  for (int turn = 0; turn < 32; ++turn) {
    const Four<T> j = tile.position[lane + turn];
    const T j_mass = tile.mass[lane + turn];
    T dx[I], dy[I], dz[I], r2[I], root[I];
#pragma unroll
    for (int k = 0; k < I + ahead; ++k) {
      if (k < I) {
        dx[k] = j.x - body[k].x;
        dy[k] = j.y - body[k].y;
        dz[k] = j.z - body[k].z;
        T d2 = no_neighbour<T>;
        if constexpr (neighbours) {
          d2 = dx[k] * dx[k] + dy[k] * dy[k] + dz[k] * dz[k];
          r2[k] = d2 + softening2;
        } else {
          r2[k] = dz[k] * dz[k] + (dx[k] * dx[k] + (dy[k] * dy[k] + softening2));
        }
        root[k] = estimate_of_rsqrt(r2[k]);
        if constexpr (diagonal) {
          if (i_minus_j + 32 * k == ((lane + turn) % 32) - lane) {
            root[k] = 0;
            d2 = no_neighbour<T>;
          }
        }
        if constexpr (neighbours) {
          sum[k].w = min(sum[k].w, d2);
          j_near = min(j_near, d2);
        }
      }
      if (k >= ahead) {
        const int i = k - ahead;
        const T inverse = inverse_cube(root[i], r2[i]);
        const T pull = j_mass * inverse;
        const T pull_back = body[i].w * inverse;
        if constexpr (!diagonal) {
          jx -= pull_back * dx[i];
          jy -= pull_back * dy[i];
          jz -= pull_back * dz[i];
        }
        sum[i].z += pull * dz[i];  // z first: dz has just been used, it need not be read again
        sum[i].y += pull * dy[i];
        sum[i].x += pull * dx[i];
      }
    }
    if constexpr (!diagonal) {
      const int next = lane + 1;
      jx = __shfl_sync(0xffffffff, jx, next);
      jy = __shfl_sync(0xffffffff, jy, next);
      jz = __shfl_sync(0xffffffff, jz, next);
      if constexpr (neighbours) j_near = __shfl_sync(0xffffffff, j_near, next);
    }
  }
  j_sum = {jx, jy, jz, j_near};
}

template <typename T, int I, int W, bool neighbours, int unroll, int ahead, int min_blocks>
__global__ __launch_bounds__(32 * W, min_blocks) void meet_in_pairs(Arrays<T> bodies,
                                                                    ThirdLawPlan plan, T softening2,
                                                                    Arrays<T> i_part,
                                                                    Arrays<T> j_part) {
  constexpr int tile_size = 32 * W;
  constexpr int block_size = tile_size * I;
  __shared__ Tile<T, 64> tile[2][W];  // each group of 32 twice in a row: no wrap-around
  constexpr int numbers = neighbours ? 4 : 3;
  __shared__ T sums[2][W][numbers][tile_size];  // of each warp, for every j of the tile
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const long long padded = static_cast<long long>(plan.blocks) * block_size;

  long long unit = plan.first_unit_of_share(blockIdx.x);
  const long long last = plan.first_unit_of_share(blockIdx.x + 1);
  int block = plan.block_of(unit);
  int buffer = 0;

  while (unit < last) {
    const long long first = plan.first_unit(block);
    const long long next_block = plan.first_unit(block + 1);
    const int end = static_cast<int>((next_block < last ? next_block : last) - first);
    int local = static_cast<int>(unit - first);

    Four<T> body[I], sum[I];
    for (int i = 0; i < I; ++i) {
      const int own = block * block_size + warp * 32 * I + 32 * i + lane;
      body[i] = {bodies.x[own], bodies.y[own], bodies.z[own], bodies.w[own]};
      sum[i] = {0, 0, 0, no_neighbour<T>};
    }
    const auto first_j = [&](int u) {
      int other = block + u / I;
      if (other >= plan.blocks) other -= plan.blocks;
      return other * block_size + (u % I) * tile_size;
    };

    const auto load_j = [&](int u) {
      const int j = first_j(u) + threadIdx.x;
      return Four<T>{bodies.x[j], bodies.y[j], bodies.z[j], bodies.w[j]};
    };
    const auto store_j = [&](Tile<T, 64>& to, const Four<T>& j) {
      to.position[lane] = to.position[lane + 32] = j;
      to.mass[lane] = to.mass[lane + 32] = j.w;
    };
    Four<T> next = load_j(local);
    store_j(tile[buffer][warp], next);
    __syncthreads();
    for (; local < end; ++local) {
      const int j0 = first_j(local);
      if (local + 1 < end) next = load_j(local + 1);
      const bool diagonal = local < I;
      if (diagonal) {
        for (int t = 0; t < W; ++t) {
          Four<T> unused;
          const int i_minus_j = warp * 32 * I - local * tile_size - 32 * t;
          meet<T, I, neighbours, true, 1, 0>(body, sum, tile[buffer][t], unused, softening2,
                                             i_minus_j);
        }
      } else {
        for (int t = 0; t < W; ++t) {
          Four<T> j_sum;
          meet<T, I, neighbours, false, unroll, ahead>(body, sum, tile[buffer][t], j_sum,
                                                       softening2, 0);
          const int at = 32 * t + lane;
          sums[buffer][warp][0][at] = j_sum.x;
          sums[buffer][warp][1][at] = j_sum.y;
          sums[buffer][warp][2][at] = j_sum.z;
          if constexpr (neighbours) sums[buffer][warp][3][at] = j_sum.w;
        }
      }
      store_j(tile[buffer ^ 1][warp], next);
      __syncthreads();
      if (!diagonal) {
        Four<T> total{0, 0, 0, no_neighbour<T>};
        for (int w = 0; w < W; ++w) {
          total.x += sums[buffer][w][0][threadIdx.x];
          total.y += sums[buffer][w][1][threadIdx.x];
          total.z += sums[buffer][w][2][threadIdx.x];
          if constexpr (neighbours) total.w = min(total.w, sums[buffer][w][3][threadIdx.x]);
        }
        const long long at = (local / I - 1) * padded + j0 + threadIdx.x;
        j_part.x[at] = total.x;
        j_part.y[at] = total.y;
        j_part.z[at] = total.z;
        if constexpr (neighbours) j_part.w[at] = total.w;
      }
      buffer ^= 1;
    }
    // Share and block only grow along the list of units, so their sum names the piece.
    for (int i = 0; i < I; ++i) {
      const long long at =
          static_cast<long long>(blockIdx.x + block) * block_size + warp * 32 * I + 32 * i + lane;
      i_part.x[at] = sum[i].x;
      i_part.y[at] = sum[i].y;
      i_part.z[at] = sum[i].z;
      if constexpr (neighbours) i_part.w[at] = sum[i].w;
    }
    __syncthreads();
    unit = first + end;
    ++block;
  }
}

// Adds up the pieces of every body, always in the same order.
template <typename T, bool neighbours>
__global__ void add_pieces(ThirdLawPlan plan, int block_size, int n, T G, Arrays<T> i_part,
                           Arrays<T> j_part, Arrays<T> result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int block = i / block_size, within = i % block_size;
  const long long padded = static_cast<long long>(plan.blocks) * block_size;
  Four<T> total{0, 0, 0, no_neighbour<T>};
  const auto add = [&](const Arrays<T>& part, long long at) {
    total.x += part.x[at];
    total.y += part.y[at];
    total.z += part.z[at];
    if constexpr (neighbours) total.w = min(total.w, part.w[at]);
  };
  const int first = plan.share_of(plan.first_unit(block));
  const int last = plan.share_of(plan.first_unit(block + 1) - 1);
  for (int share = first; share <= last; ++share) {
    add(i_part, static_cast<long long>(share + block) * block_size + within);
  }
  const int rounds = plan.rounds_met(block);
#pragma unroll 8
  for (int round = 0; round < rounds; ++round) add(j_part, round * padded + i);
  result.x[i] = G * total.x;
  result.y[i] = G * total.y;
  result.z[i] = G * total.z;
  if constexpr (neighbours) result.w[i] = total.w;
}

}  // namespace nbody
