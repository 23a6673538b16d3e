#pragma once

#include <cuda_fp16.h>

#include "../part3_cuda/support/third_law_kernel.cuh"

namespace nbody {

constexpr int bodies_of_tile = 128;
constexpr int bodies_of_chunk = 32, chunks_of_tile = bodies_of_tile / bodies_of_chunk;

__device__ inline float3 minus(const float3& a, const float3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__device__ inline float3 times(float a, const float3& b) { return {a * b.x, a * b.y, a * b.z}; }
__device__ inline float square(const float3& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

// A number as a sum of two halves: 22 bits.
struct Halves {
  half high, low;
  __device__ explicit Halves(float value)
      : high(__float2half_rn(value)), low(__float2half_rn(value - __half2float(high))) {}
};

// The squared distance of bodies i and j as a product of a row and a column of 16 halves,
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
  const Halves x(u_in_q.x), y(u_in_q.y), z(u_in_q.z), u2(square(u_in_q));
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
  const Halves x(factor * y_in_s.x), y(factor * y_in_s.y), z(factor * y_in_s.z), r2(r2_in_s);
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
  const Halves m(mass), x(mass_of_places * place.x);
  const Halves y(mass_of_places * place.y), z(mass_of_places * place.z);
  return {{{m.high, x.high}, {y.high, z.high}, {m.low, x.low}, {y.low, z.low}}};
}

// Strides of rows in shared memory, in halves: 8 rows lie in 8 different groups of banks.
constexpr int row_stride = 24, weight_stride = 40;
constexpr int pull_stride = sizeof(PullOfBody) / sizeof(half);

struct alignas(16) PaddedRow {
  Row row;
  half2 padding[(row_stride - 16) / 2];
};
__device__ inline const half* halves(const PaddedRow* rows) {
  return reinterpret_cast<const half*>(rows);
}
__device__ inline const half* halves(const PullOfBody* pulls) {
  return reinterpret_cast<const half*>(pulls);
}

// What a warp has in shared memory.
struct alignas(32) WarpSpace {  // matrices begin at multiples of 32 bytes
  PaddedRow rows[bodies_of_tile], columns[bodies_of_chunk];
  PullOfBody pulls_of_i[bodies_of_tile], pulls_of_j[bodies_of_chunk];
  union {  // one after the other
    alignas(32) half weights[32 * weight_stride];
    float sums[32][pull_stride];
    TileOfWarp one_by_one;
  };
};

}  // namespace nbody
