#pragma once

#include "../part3_cuda/support/arrays.cuh"
#include "cuda/geometry.hpp"
#include "hilbert.hpp"
#include "radix_sort.cuh"

namespace nbody {

// The host scales lengths so that every coordinate starts between -1 and 1. A body that flies out
// counts as one of the nearest outer cell.
constexpr int bits_of_cell = 20;
__device__ inline std::uint32_t cell_of(float x) {
  constexpr float cells = 1 << bits_of_cell;
  return static_cast<std::uint32_t>(fminf(fmaxf(x * (cells / 2) + cells / 2, 0), cells - 1));
}

// Bodies heavier than `heavy` come after all others.
__global__ void find_keys(Arrays bodies, std::size_t n, float heavy, std::uint64_t* key,
                          unsigned* number) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint64_t on_curve =
      hilbert_key(cell_of(bodies.x[i]), cell_of(bodies.y[i]), cell_of(bodies.z[i]), bits_of_cell);
  key[i] = on_curve + (bodies.w[i] > heavy ? std::uint64_t{1} << (3 * bits_of_cell) : 0);
  number[i] = static_cast<unsigned>(i);
}

// The bodies along a Hilbert curve.
class HilbertOrder {
 public:
  explicit HilbertOrder(std::size_t n)
      : keys(n), sorted_keys(n), unsorted(n), sorted(n), space(bytes_for(n)) {}

  void sort(const Arrays& bodies, float heavy, cudaStream_t stream) {
    const std::size_t n = keys.size();
    std::size_t bytes = space.size();
    find_keys<<<blocks_for(n, 128), 128, 0, stream>>>(bodies, n, heavy, keys.data(),
                                                      unsorted.data());
    radix_sort(space.data(), bytes, keys.data(), sorted_keys.data(), unsorted.data(), sorted.data(),
               n, stream);
  }
  // Place k holds the body with this number.
  const unsigned* numbers() const { return sorted.data(); }

 private:
  DeviceArray<std::uint64_t> keys, sorted_keys;
  DeviceArray<unsigned> unsorted, sorted;
  DeviceArray<unsigned char> space;

  static std::size_t bytes_for(std::size_t n) {
    std::size_t bytes = 0;
    constexpr std::uint64_t* keys = nullptr;
    constexpr unsigned* numbers = nullptr;
    radix_sort(nullptr, bytes, keys, keys, numbers, numbers, n, nullptr);
    return bytes;
  }
};

}  // namespace nbody
