#pragma once

#include <cub/device/device_radix_sort.cuh>

#include "cuda/device_array.cuh"

namespace nbody {

// Sorts pairs of a key and a number, on the GPU.
template <typename Key>
class Sorter {
 public:
  explicit Sorter(std::size_t n) : n(n), keys(n), sorted_keys(n), numbers(n), sorted(n), space(0) {}

  Key* key() { return keys.data(); }
  unsigned* number() { return numbers.data(); }
  // The numbers, by their keys.
  const unsigned* sorted_numbers() const { return sorted.data(); }

  void sort(cudaStream_t stream) {
    std::size_t bytes = space.size();
    if (bytes == 0) {
      call(nullptr, bytes, stream);
      space = DeviceArray<unsigned char>(bytes);
    }
    call(space.data(), bytes, stream);
  }

 private:
  std::size_t n;
  DeviceArray<Key> keys, sorted_keys;
  DeviceArray<unsigned> numbers, sorted;
  DeviceArray<unsigned char> space;

  void call(void* at, std::size_t& bytes, cudaStream_t stream) {
    cuda_check(cub::DeviceRadixSort::SortPairs(at, bytes, keys.data(), sorted_keys.data(),
                                               numbers.data(), sorted.data(), static_cast<int>(n),
                                               0, 8 * static_cast<int>(sizeof(Key)), stream));
  }
};

}  // namespace nbody
