#pragma once

#include <cuda_fp16.h>

#include "extremes.cuh"
#include "interaction.cuh"
#include "matrix_tiles.cuh"

namespace nbody {

// `value` as a sum of two halves: 22 bits.
struct Halves {
  half high, low;
};
__device__ inline Halves halves_of(float value) {
  const half high = __float2half_rn(value);
  return {high, __float2half_rn(value - __half2float(high))};
}

// The squared distance of bodies i and j as a product of a row and a column of 16 numbers,
//
//   r^2 = |u|^2 + (|y|^2 + softening^2) - 2 u y,   u and y from the centre of i's tile,
//
// where only the smallest products of the halves are omitted: 3 for each axis, 2 and 2 remain. The
// row is in units of q, a power of two above the tile's radius; the column converts to units of
// 1/s.
struct alignas(16) Row {
  half2 pairs[8];
};

__device__ inline Row row_of(const float3& u_in_q) {
  const Halves x = halves_of(u_in_q.x), y = halves_of(u_in_q.y), z = halves_of(u_in_q.z);
  const Halves u2 = halves_of(square(u_in_q));
  const half one = __float2half_rn(1), zero = __float2half_rn(0);
  return {{{x.high, x.high},
           {x.low, y.high},
           {y.high, y.low},
           {z.high, z.high},
           {z.low, u2.high},
           {u2.low, one},
           {one, zero},
           {zero, zero}}};
}

__device__ inline Row column_of(const float3& y_in_s, float r2_in_s, float s_q) {
  const float factor = -2 * s_q;
  const Halves x = halves_of(factor * y_in_s.x), y = halves_of(factor * y_in_s.y);
  const Halves z = halves_of(factor * y_in_s.z), r2 = halves_of(r2_in_s);
  const half u2 = __float2half_rn(s_q * s_q), zero = __float2half_rn(0);
  return {{{x.high, x.low},
           {x.high, y.high},
           {y.low, y.high},
           {z.high, z.low},
           {z.high, u2},
           {u2, r2.high},
           {r2.low, zero},
           {zero, zero}}};
}

// A body's contribution to the sums of others: its mass and mass times position, each in its own
// unit: the high halves, then the low ones.
struct alignas(16) PullOfBody {
  half2 pairs[4];
};
__device__ inline PullOfBody pull_of(float mass, float mass_of_places, const float3& place) {
  const Halves m = halves_of(mass), x = halves_of(mass_of_places * place.x);
  const Halves y = halves_of(mass_of_places * place.y), z = halves_of(mass_of_places * place.z);
  return {{{m.high, x.high}, {y.high, z.high}, {m.low, x.low}, {y.low, z.low}}};
}

// What a lane knows about its body j of a chunk, and about the chunk, seen from a tile.
struct Seen {
  float3 y;                   // j from the tile's centre
  float distance2;            // with the softening
  float nearest2, farthest2;  // of the chunk
  bool far;                   // the chunk as a whole
  float s;                    // a power of two: 1/s is about the distance of the nearest
};

// Far enough for halves: no body within the square root of near2, and all at similar distances.
__device__ inline Seen seen_from(const float3& centre, float near2, const real4& j,
                                 float softening2) {
  Seen seen;
  seen.y = minus({j.x, j.y, j.z}, centre);
  const float r2 = square(seen.y);
  seen.distance2 = r2 + softening2;
  const float nearest = smallest_in_warp(r2);
  seen.nearest2 = nearest + softening2;
  seen.farthest2 = largest_in_warp(seen.distance2);
  // s^3 must fit into a float, and no weight may exceed another by a factor above 128^(3/2).
  seen.far = nearest > near2 && nearest > 0x1p-80f && seen.farthest2 < 128 * seen.nearest2;
  seen.s = reciprocal(power_below(seen.nearest2 * estimate_of_rsqrt(seen.nearest2)));
  return seen;
}

}  // namespace nbody
