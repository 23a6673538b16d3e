#pragma once

#include <cuda_runtime.h>

namespace nbody {

// Combines the numbers of all lanes of a warp, always in the same order; all lanes get the result.
template <typename Number, typename Combine>
__device__ inline Number over_warp(Number x, Combine combine) {
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    x = combine(x, __shfl_xor_sync(0xffffffff, x, lanes));
  }
  return x;
}

// The same for all threads of a block, a multiple of 32.
template <int threads, typename Number, typename Combine>
__device__ inline Number over_block(Number x, Number (&of_warp)[threads / 32], Combine combine) {
  x = over_warp(x, combine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  x = of_warp[0];
  for (int warp = 1; warp < threads / 32; ++warp) x = combine(x, of_warp[warp]);
  __syncthreads();
  return x;
}

}  // namespace nbody
