#pragma once

#include "cuda/device_array.cuh"
#include "cuda/geometry.hpp"
#include "cuda/timed.cuh"

namespace nbody {

constexpr unsigned smallest_threads = 1024;

// One block: thread k looks at values k, k + 1024, ...; what the threads have found is compared by
// pairs.
template <typename T>
__global__ void __launch_bounds__(smallest_threads)
    smallest_value(const T* values, std::size_t n, T* result) {
  __shared__ T found[smallest_threads];
  const unsigned k = threadIdx.x;
  T mine = values[k < n ? k : 0];
  for (std::size_t i = k; i < n; i += smallest_threads) {
    const T value = values[i];
    if (value < mine) mine = value;
  }
  found[k] = mine;
  for (unsigned stride = first_stride(smallest_threads); stride > 0; stride /= 2) {
    __syncthreads();
    if (k < stride && found[k + stride] < found[k]) found[k] = found[k + stride];
  }
  if (k == 0) *result = found[0];
}

// The smallest of n values (one at least) in the memory of the GPU, found there.
template <typename T>
T smallest(const DeviceArray<T>& values) {
  DeviceArray<T> result(1);
  timed("smallest", [&] {
    smallest_value<<<1, smallest_threads>>>(values.data(), values.size(), result.data());
  });
  std::vector<T> on_host;
  result.copy_to(on_host);
  return on_host[0];
}

}  // namespace nbody
