#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace nbody {

// For non-negative numbers, whose bits have the same order.
__device__ inline float smallest_in_warp(float x) {
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  return __uint_as_float(cg::reduce(warp, __float_as_uint(x), cg::less<unsigned>()));
}
__device__ inline float largest_in_warp(float x) {
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  return __uint_as_float(cg::reduce(warp, __float_as_uint(x), cg::greater<unsigned>()));
}

}  // namespace nbody
