#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <mma.h>

#include <cub/device/device_radix_sort.cuh>

// What matrix.cuh needs of CUDA's libraries. When kernels run on the CPU, on_cpu/tensor_cores.cuh
// takes the place of this file.
namespace nbody {

// A fragment is a matrix that lies in the registers of a warp.
namespace tensor = nvcuda::wmma;

// Of numbers that are not negative: their bits have the same order, and for whole numbers this is
// one instruction.
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

// With fewer bodies third_law is faster, and too few errors of halves average out (README.md).
constexpr std::size_t fewest_bodies = 32768;

}  // namespace nbody
