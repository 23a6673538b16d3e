#pragma once

#include "cuda/device_array.cuh"
#include "cuda/geometry.hpp"
#include "cuda/timed.cuh"

namespace nbody {

// Few threads, so that counts follow one formula already for few bodies. A power of two: they are
// compared in pairs.
constexpr unsigned smallest_threads = 256;

// The smallest of each block's values. Thread k of all takes values k, k + threads, ...; the
// results of a block's threads are compared in pairs. `results` may be the values of a single
// block.
template <typename T>
__global__ void smallest_of_blocks(const T* values, std::size_t n, T* results) {
  __shared__ T found[smallest_threads];
  const unsigned k = threadIdx.x;
  const std::size_t first = std::size_t{blockIdx.x} * smallest_threads + k;
  const std::size_t threads = std::size_t{gridDim.x} * smallest_threads;
  T mine = values[first < n ? first : 0];
#pragma unroll 4  // loads that do not wait for each other
  for (std::size_t i = first + threads; i < n; i += threads) mine = min(mine, values[i]);
  found[k] = mine;
  for (unsigned stride = smallest_threads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (k < stride) found[k] = min(found[k], found[k + stride]);
  }
  if (k == 0) results[blockIdx.x] = found[0];
}

// Stores the smallest of n >= 1 values in results[0]; results has blocks_for_smallest(n) places. If
// one block would take long, many find a result each, and one more block compares these: no atomic
// operations, and always the same order.
template <typename T>
void launch_smallest(const T* values, std::size_t n, T* results, cudaStream_t stream = nullptr) {
  const unsigned blocks = blocks_for_smallest(n);
  smallest_of_blocks<<<blocks, smallest_threads, 0, stream>>>(values, n, results);
  if (blocks == 1) return;
  smallest_of_blocks<<<1, smallest_threads, 0, stream>>>(static_cast<const T*>(results),
                                                         std::size_t{blocks}, results);
}

// Finds the smallest of n >= 1 values on the GPU and stores it in result[0].
template <typename T>
T smallest(const DeviceArray<T>& values, DeviceArray<T>& result) {
  const std::size_t places = blocks_for_smallest(values.size());
  if (result.size() < places) result = DeviceArray<T>(places);
  timed("smallest", [&] { launch_smallest(values.data(), values.size(), result.data()); });
  return result.front();
}
template <typename T>
T smallest(const DeviceArray<T>& values) {
  DeviceArray<T> result(blocks_for_smallest(values.size()));
  return smallest(values, result);
}

}  // namespace nbody
