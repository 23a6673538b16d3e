#pragma once

#include <cub/device/device_radix_sort.cuh>

#include "cuda/cuda_check.cuh"

namespace nbody {

// Sorts n pairs of a key and a number; with `space` null, finds out how many bytes that needs.
template <typename Key>
void radix_sort(void* space, std::size_t& bytes, const Key* keys, Key* sorted_keys,
                const unsigned* numbers, unsigned* sorted, std::size_t n, cudaStream_t stream) {
  cuda_check(cub::DeviceRadixSort::SortPairs(space, bytes, keys, sorted_keys, numbers, sorted,
                                             static_cast<int>(n), 0, 8 * sizeof(Key), stream));
}

}  // namespace nbody
