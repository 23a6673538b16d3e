#pragma once

#include "exchange_geometry.hpp"
#include "few_bodies.cuh"

namespace nbody {

// A shape (exchange_geometry.hpp) from the kernel's view: own / I neighbouring lanes have all own
// bodies of the block, I each, and the groups of such lanes share the bodies j.
template <int which>
struct Layout {
  static constexpr int own = exchange_shapes[which].own, I = exchange_shapes[which].I;
  static constexpr int threads = exchange_shapes[which].threads;
  static constexpr int per_thread = exchange_shapes[which].per_thread;
  static constexpr int lanes = own / I, groups = threads / lanes, warps = threads / 32;
  static constexpr int helpers = own >= 8 ? 4 : 32 / own;  // lanes that add up the sums of one body
  static constexpr int unroll = per_thread == 1 ? 1 : 4;
  static_assert(lanes >= 1 && lanes <= 32 && 32 % lanes == 0);
  static_assert(warps % helpers == 0 && own * helpers <= threads);
};

// The functions below receive numbers that they could compute from threadIdx.x: the compiler
// optimises best if each is computed only once.

// Eq. 1-3 for the I bodies of a thread and every body j of its group from row `from` to row `to`.
// Where j may be one of them (own_rows), body i is in row `own_row + i * lanes`.
template <int which, bool adaptive, bool own_rows>
__device__ inline void add_rows(const real4* position, int group, int from, int to, int own_row,
                                const real4 (&body)[Layout<which>::I],
                                real4 (&sum)[Layout<which>::I], real softening2) {
  using L = Layout<which>;
#pragma unroll L::unroll
  for (int j0 = from; j0 < to; j0 += L::groups) {
    const real4 j = position[j0 + group];
#pragma unroll
    for (int i = 0; i < L::I; ++i) {
      const real dx = j.x - body[i].x;
      const real dy = j.y - body[i].y;
      const real dz = j.z - body[i].z;
      real d2 = 0, r2;
      if constexpr (adaptive) {
        d2 = dx * dx + dy * dy + dz * dz;
        r2 = d2 + softening2;
      } else {
        r2 = dz * dz + (dy * dy + (dx * dx + softening2));
      }
      real inverse = inverse_cube(r2);
      if (own_rows && j0 + group == own_row + i * L::lanes) {
        inverse = 0;
        d2 = no_neighbour;
      }
      const real pull = j.w * inverse;
      sum[i].x += pull * dx;
      sum[i].y += pull * dy;
      sum[i].z += pull * dz;
      if constexpr (adaptive) sum[i].w = min(sum[i].w, d2);
    }
  }
}

// The sums of the I bodies of a thread over the bodies j of its group; `first` of the block's
// bodies.
template <int which, bool adaptive>
__device__ inline void add_group(const real4* position, int padded, int first, int i0, int group,
                                 real softening2, real4 (&sum)[Layout<which>::I]) {
  using L = Layout<which>;
  real4 body[L::I];
#pragma unroll
  for (int i = 0; i < L::I; ++i) {
    // Three loads of one number each: a load of four would put x, y, z into registers of fixed
    // parity, the same as those of j, and j.x - body.x would read one register bank twice.
    const volatile real* one = &position[first + i0 + i * L::lanes].x;
    body[i] = {one[0], one[1], one[2], 0};
    sum[i] = {0, 0, 0, no_neighbour};
  }
  // Only rows first .. first + own - 1 can be a thread's own body; the others need no test.
  const int before = first / L::groups * L::groups, own_row = first + i0;
  const int after = min((first + L::own + L::groups - 1) / L::groups * L::groups, padded);
  add_rows<which, adaptive, false>(position, group, 0, before, own_row, body, sum, softening2);
  add_rows<which, adaptive, true>(position, group, before, after, own_row, body, sum, softening2);
  add_rows<which, adaptive, false>(position, group, after, padded, own_row, body, sum, softening2);
}

// Adds the value of the lane `distance` away.
template <bool adaptive>
__device__ inline void add_lane(real4& sum, int distance) {
  sum.x += __shfl_xor_sync(0xffffffff, sum.x, distance);
  sum.y += __shfl_xor_sync(0xffffffff, sum.y, distance);
  sum.z += __shfl_xor_sync(0xffffffff, sum.z, distance);
  if constexpr (adaptive) sum.w = min(sum.w, __shfl_xor_sync(0xffffffff, sum.w, distance));
}

// The sums of all groups of this warp, for every own body.
template <int which, bool adaptive>
__device__ inline void add_groups_of_warp(int lane, int i0, real4 (&sum)[Layout<which>::I],
                                          real4* of_warp) {
  using L = Layout<which>;
#pragma unroll
  for (int distance = L::lanes; distance < 32; distance *= 2) {
#pragma unroll
    for (int i = 0; i < L::I; ++i) add_lane<adaptive>(sum[i], distance);
  }
  if (lane < L::lanes) {
#pragma unroll
    for (int i = 0; i < L::I; ++i) of_warp[i0 + i * L::lanes] = sum[i];
  }
}

}  // namespace nbody
