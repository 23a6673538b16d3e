#pragma once

#include "far_chunk.cuh"
#include "third_law_kernel.cuh"

namespace nbody {

// Strides of rows in shared memory, in halves: 8 rows lie in 8 different groups of banks.
constexpr int row_stride = 24, weight_stride = 40;
constexpr int pull_stride = sizeof(PullOfBody) / sizeof(half);

struct alignas(16) PaddedRow {
  Row row;
  half2 padding[(row_stride - 16) / 2];
};

// What a warp has in shared memory.
struct WarpSpace {
  PaddedRow rows[bodies_of_tile], columns[bodies_of_chunk];
  PullOfBody pulls_of_i[bodies_of_tile], pulls_of_j[bodies_of_chunk];
  union {  // one after the other
    alignas(16) half weights[32 * weight_stride];
    float sums[32][pull_stride];
    TileOfWarp one_by_one;
  };
  float3 own_pulls[bodies_of_tile];  // on the bodies i, found one by one
  Tile tile;
};

__device__ inline const half* halves(const PaddedRow* rows) {
  return reinterpret_cast<const half*>(rows);
}
__device__ inline const half* halves(const PullOfBody* pulls) {
  return reinterpret_cast<const half*>(pulls);
}

}  // namespace nbody
