#pragma once

#include "cuda/device_array.cuh"
#include "cuda/geometry.hpp"
#include "cuda/timed.cuh"

namespace nbody {

// One block of few threads, so that counts follow one formula already for few bodies.
constexpr unsigned smallest_threads = 256;

// Thread k takes values k, k + 256, ...; the threads' results are compared in pairs.
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

// Finds the smallest of n >= 1 values on the GPU and stores it in `result`.
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
