#pragma once

#include "cuda/cuda_check.cuh"

// Occupancy of the current GPU.
namespace nbody {

inline int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  cuda_check(cudaGetDevice(&device));
  cuda_check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

inline unsigned multiprocessors() {
  return static_cast<unsigned>(device_attribute(cudaDevAttrMultiProcessorCount));
}

// Blocks of a kernel that run at the same time, on all multiprocessors together.
template <typename Kernel>
unsigned blocks_at_once(Kernel kernel, unsigned threads) {
  int each = 0;
  cuda_check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, static_cast<int>(threads), 0));
  return multiprocessors() * static_cast<unsigned>(each);
}

}  // namespace nbody
