#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda/cuda_check.cuh"

// Replaces ../radix_sort.cuh when kernels run on the CPU.
namespace nbody {

template <typename Key>
void radix_sort(void* space, std::size_t& bytes, const Key* keys, Key*, const unsigned* numbers,
                unsigned* sorted, std::size_t n, cudaStream_t) {
  bytes = 1;
  if (space == nullptr) return;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  for (std::size_t k = 0; k < n; ++k) sorted[k] = numbers[order[k]];
}

}  // namespace nbody
