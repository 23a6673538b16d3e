#pragma once

#include "interaction.cuh"
#include "padded_arrays.cuh"
#include "third_law_plan.hpp"

namespace nbody {

// 32 bodies j in shared memory, twice in a row: no wrap-around. The mass is separate: one load of
// four numbers would put it into the fourth of four neighbouring registers, and half of its
// products would read one register bank twice (a register's number modulo 2 is its bank; a bank
// delivers one operand per cycle).
struct TileOfWarp {
  real4 position[64];  // w is not used
  real mass[64];

  __device__ void store(const real4& j) {
    const int lane = threadIdx.x % 32;
    position[lane] = position[lane + 32] = j;
    mass[lane] = mass[lane + 32] = j.w;
  }
};

// What a lane knows about one of its bodies i and the body j of this turn, until their forces are
// added.
struct Pair {
  real dx, dy, dz, r2, root;
};

// The first half of Eq. 1: the distance of i and j, and a request for the root. If j is i itself,
// the force is 0.
template <bool neighbours>
__device__ inline void begin_pair(Pair& pair, const real4& i, const real4& j, real softening2,
                                  bool itself, real& i_near, real& j_near) {
  pair.dx = j.x - i.x;
  pair.dy = j.y - i.y;
  pair.dz = j.z - i.z;
  real d2 = no_neighbour;
  if constexpr (neighbours) {
    d2 = pair.dx * pair.dx + pair.dy * pair.dy + pair.dz * pair.dz;
    pair.r2 = d2 + softening2;
  } else {
    pair.r2 = pair.dz * pair.dz + (pair.dx * pair.dx + (pair.dy * pair.dy + softening2));
  }
  pair.root = estimate_of_rsqrt(pair.r2);
  if (itself) {
    pair.root = 0;
    d2 = no_neighbour;
  }
  if constexpr (neighbours) {
    i_near = min(i_near, d2);
    j_near = min(j_near, d2);
  }
}

// The second half: the force of j on i and, except on the diagonal, the reaction on j.
template <bool diagonal>
__device__ inline void add_forces(const Pair& pair, const real4& i, real j_mass, real4& i_sum,
                                  real4& j_sum) {
  const real inverse = inverse_cube(pair.root, pair.r2);
  const real weight = j_mass * inverse;
  const real reaction = i.w * inverse;
  if constexpr (!diagonal) {
    j_sum.x -= reaction * pair.dx;
    j_sum.y -= reaction * pair.dy;
    j_sum.z -= reaction * pair.dz;
  }
  i_sum.z += weight * pair.dz;  // z first: dz has just been used, it need not be read again
  i_sum.y += weight * pair.dy;
  i_sum.x += weight * pair.dx;
}

// One warp: its 32 * I bodies, I in the registers of each lane, against 32 bodies j of a tile. In
// step `turn` lane l has j = l + turn (around 32); the sum for j then moves to the next lane. The
// root of body i is requested `ahead` bodies before its sums need it. Returns the sum for j.
template <bool neighbours, bool diagonal, int unroll, int ahead, int I>
__device__ inline real4 meet(const real4 (&body)[I], real4 (&sum)[I], const TileOfWarp& tile,
                             real softening2, int i_minus_j) {
  const int lane = threadIdx.x % 32;
  real4 j_sum{0, 0, 0, no_neighbour};
#pragma unroll unroll
  for (int turn = 0; turn < 32; ++turn) {
    const real4 j = tile.position[lane + turn];
    const real j_mass = tile.mass[lane + turn];
    Pair pair[I];
#pragma unroll
    for (int k = 0; k < I + ahead; ++k) {
      if (k < I) {
        const bool itself = diagonal && i_minus_j + 32 * k == ((lane + turn) % 32) - lane;
        begin_pair<neighbours>(pair[k], body[k], j, softening2, itself, sum[k].w, j_sum.w);
      }
      if (k >= ahead) {
        const int i = k - ahead;
        add_forces<diagonal>(pair[i], body[i], j_mass, sum[i], j_sum);
      }
    }
    if constexpr (!diagonal) {
      const int next = lane + 1;
      j_sum.x = __shfl_sync(0xffffffff, j_sum.x, next);
      j_sum.y = __shfl_sync(0xffffffff, j_sum.y, next);
      j_sum.z = __shfl_sync(0xffffffff, j_sum.z, next);
      if constexpr (neighbours) j_sum.w = __shfl_sync(0xffffffff, j_sum.w, next);
    }
  }
  return j_sum;
}

// A chunk of the units of the plan. The sums of the bodies i of a block, and those of the bodies j
// of a unit, go to slots of their own.
template <int I, int W, bool neighbours, int unroll, int ahead, int min_blocks>
__global__ __launch_bounds__(32 * W, min_blocks) void accelerations_by_pairs(
    Arrays bodies, ThirdLawPlan plan, real softening2, Arrays i_part, Arrays j_part) {
  constexpr int tile_size = 32 * W;
  constexpr int block_size = tile_size * I;
  __shared__ TileOfWarp tile[2][W];
  __shared__ real of_warp[2][W][neighbours ? 4 : 3][tile_size];  // sums of every j of the tile
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const long long padded = static_cast<long long>(plan.blocks) * block_size;

  const int chunk = plan.first_chunk + static_cast<int>(blockIdx.x);
  long long unit = plan.first_unit_of_chunk(chunk);
  const long long last = plan.first_unit_of_chunk(chunk + 1);
  int block = plan.block_of(unit);
  int buffer = 0;
  while (unit < last) {
    const long long first = plan.first_unit(block);
    const long long next_block = plan.first_unit(block + 1);
    const int end = static_cast<int>((next_block < last ? next_block : last) - first);
    int local = static_cast<int>(unit - first);

    real4 body[I], sum[I];
    for (int i = 0; i < I; ++i) {
      body[i] = at(bodies, block * block_size + warp * 32 * I + 32 * i + lane);
      sum[i] = {0, 0, 0, no_neighbour};
    }
    const auto first_j = [&](int u) {  // where the bodies j of unit u begin
      int other = block + u / I;
      if (other >= plan.blocks) other -= plan.blocks;
      return other * block_size + (u % I) * tile_size;
    };
    const auto load_j = [&](int u) { return at(bodies, int(first_j(u) + threadIdx.x)); };
    real4 next = load_j(local);
    tile[buffer][warp].store(next);
    __syncthreads();
    for (; local < end; ++local) {
      const int j0 = first_j(local);
      if (local + 1 < end) next = load_j(local + 1);
      const bool diagonal = local < I;
      if (diagonal) {  // its own block: forces on the bodies i only
        for (int t = 0; t < W; ++t) {
          const int i_minus_j = warp * 32 * I - local * tile_size - 32 * t;
          meet<neighbours, true, 1, 0>(body, sum, tile[buffer][t], softening2, i_minus_j);
        }
      } else {
        real(&found)[neighbours ? 4 : 3][tile_size] = of_warp[buffer][warp];
        for (int t = 0; t < W; ++t) {
          const real4 j_sum =
              meet<neighbours, false, unroll, ahead>(body, sum, tile[buffer][t], softening2, 0);
          found[0][32 * t + lane] = j_sum.x;
          found[1][32 * t + lane] = j_sum.y;
          found[2][32 * t + lane] = j_sum.z;
          if constexpr (neighbours) found[3][32 * t + lane] = j_sum.w;
        }
      }
      tile[buffer ^ 1][warp].store(next);
      __syncthreads();
      if (!diagonal) {
        real4 total{0, 0, 0, no_neighbour};  // of all warps, for the body j of this thread's number
        for (int w = 0; w < W; ++w) {
          const auto& found = of_warp[buffer][w];
          total.x += found[0][threadIdx.x];
          total.y += found[1][threadIdx.x];
          total.z += found[2][threadIdx.x];
          if constexpr (neighbours) total.w = min(total.w, found[3][threadIdx.x]);
        }
        store_sum<neighbours>(j_part, (local / I - 1) * padded + j0 + threadIdx.x, total);
      }
      buffer ^= 1;
    }
    // Chunk and block only grow along the list of units, so their sum is the index of the partial
    // sum.
    const long long slot = static_cast<long long>(chunk + block) * block_size;
    for (int i = 0; i < I; ++i) {
      store_sum<neighbours>(i_part, slot + warp * 32 * I + 32 * i + lane, sum[i]);
    }
    __syncthreads();
    unit = first + end;
    ++block;
  }
}

// The partial sums that other GPUs compute: no force, and no neighbour.
__global__ void clear_partial_sums(Arrays part, std::size_t size) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) store_sum<true>(part, static_cast<long long>(i), {0, 0, 0, no_neighbour});
}

// Adds up the partial sums of every body, always in the same order.
template <bool neighbours>
__global__ void add_partials(ThirdLawPlan plan, int block_size, int n, real G, Arrays i_part,
                             Arrays j_part, Arrays result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int block = i / block_size, within = i % block_size;
  const long long padded = static_cast<long long>(plan.blocks) * block_size;
  real4 total{0, 0, 0, no_neighbour};
  const int first = plan.chunk_of(plan.first_unit(block));
  const int last = plan.chunk_of(plan.first_unit(block + 1) - 1);
  for (int chunk = first; chunk <= last; ++chunk) {
    add_part<neighbours>(total, i_part,
                         static_cast<long long>(chunk + block) * block_size + within);
  }
  const int rounds = plan.rounds_as_other(block);
#pragma unroll 8
  for (int round = 0; round < rounds; ++round) {
    add_part<neighbours>(total, j_part, round * padded + i);
  }
  store_sum<neighbours>(result, i, {G * total.x, G * total.y, G * total.z, total.w});
}

}  // namespace nbody
