#pragma once

#include <algorithm>
#include <vector>

#include "cuda/device_array.cuh"

// Replaces ../sorter.cuh when kernels run on the CPU.
namespace nbody {

template <typename Key>
class Sorter {
 public:
  explicit Sorter(std::size_t n) : keys(n), numbers(n) {}

  Key* key() { return keys.data(); }
  unsigned* number() { return numbers.data(); }
  const unsigned* sorted_numbers() const { return numbers.data(); }

  void sort(cudaStream_t) {
    std::vector<Key> key;
    std::vector<unsigned> number;
    keys.copy_to(key);
    numbers.copy_to(number);
    std::vector<std::size_t> order(key.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
    std::vector<unsigned> sorted;
    for (const std::size_t k : order) sorted.push_back(number[k]);
    numbers.copy_from(sorted);
  }

 private:
  DeviceArray<Key> keys;
  DeviceArray<unsigned> numbers;
};

}  // namespace nbody
