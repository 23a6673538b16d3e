#pragma once

#include "cuda/device_array.cuh"
#include "cuda/geometry.hpp"
#include "cuda/timed.cuh"

namespace nbody {

// One block; few threads, so that it counts the same from small numbers of bodies on.
constexpr unsigned smallest_threads = 256;

// Thread k looks at values k, k + 256, ...; what the threads have found is compared by pairs.
template <typename T>
__global__ void smallest_value(const T* values, std::size_t n, T* result) {
  __shared__ T found[smallest_threads];
  const unsigned k = threadIdx.x;
  T mine = values[k < n ? k : 0];
  for (std::size_t i = k + smallest_threads; i < n; i += smallest_threads) {
    mine = min(mine, values[i]);
  }
  found[k] = mine;
  for (unsigned stride = first_stride(smallest_threads); stride > 0; stride /= 2) {
    __syncthreads();
    if (k < stride) found[k] = min(found[k], found[k + stride]);
  }
  if (k == 0) *result = found[0];
}

// The smallest of n values (one at least) in the memory of the GPU, found there and put into
// `result`.
template <typename T>
T smallest(const DeviceArray<T>& values, DeviceArray<T>& result) {
  timed("smallest", [&] {
    smallest_value<<<1, smallest_threads>>>(values.data(), values.size(), result.data());
  });
  std::vector<T> on_host;
  result.copy_to(on_host);
  return on_host[0];
}
template <typename T>
T smallest(const DeviceArray<T>& values) {
  DeviceArray<T> result(1);
  return smallest(values, result);
}

}  // namespace nbody
