#pragma once

#include <cstddef>

// Arithmetic of launches: how many blocks, idle threads, which thread adds what. Plain functions,
// tested without a GPU; kernels can call them, too (--expt-relaxed-constexpr).
namespace nbody {

// Blocks of `block` threads for n items; threads of the last block may be idle.
constexpr unsigned blocks_for(std::size_t n, unsigned block) {
  return static_cast<unsigned>((n + block - 1) / block);
}

// Size of an array of n items, padded to full tiles.
constexpr std::size_t rounded_up(std::size_t n, std::size_t tile) {
  return (n + tile - 1) / tile * tile;
}

// Indices from first to before last.
struct Slice {
  std::size_t first, last;
  constexpr std::size_t size() const { return last - first; }
};

// Slice k of n items in `slices` slices that differ by at most one item, longer ones first. With
// more slices than items, the last ones are empty.
constexpr Slice slice_of(std::size_t n, unsigned slices, unsigned k) {
  const std::size_t least = n / slices, longer = n % slices;
  const std::size_t first = k * least + (k < longer ? k : longer);
  return {first, first + least + (k < longer ? 1 : 0)};
}

// Blocks that look for the smallest of n values (smallest.cuh). One as long as it does not take
// longer than the launch of another kernel; at most as many as one more block can compare at once.
constexpr unsigned blocks_for_smallest(std::size_t n) {
  constexpr std::size_t values_of_a_block = 4096, most = 256;
  const std::size_t blocks = (n + values_of_a_block - 1) / values_of_a_block;
  return static_cast<unsigned>(blocks < most ? blocks : most);
}

}  // namespace nbody
