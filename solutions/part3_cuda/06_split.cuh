#pragma once

#include <algorithm>

#include "cuda/occupancy.cuh"
#include "05_several_bodies.cuh"
#include "support/shares.hpp"

namespace nbody {

// Problem: 4096 bodies, eight per thread, are 512 threads; the GPU holds a quarter of a million.
// Idea: several threads per body, each for a share of the bodies j. A second kernel adds their sums
// in the order of the shares, so two runs give the same bits.
// Changed: a two-dimensional grid; four bodies per thread, blocks of two warps.
// Predicted: 1 with 131072 bodies, up to 16 x with 4096, because the GPU is nearly empty. Measured:
// 1.19 x and 14.8 x several_bodies; with 131072 the GPU was not full, either.
class Split : public BodiesInRegisters<4, 64> {
 public:
  explicit Split(const Problem& problem)
      : BodiesInRegisters(problem, shares_for(problem.bodies.size())) {}

 private:
  static unsigned shares_for(std::size_t n) {
    constexpr unsigned blocks_each = sizeof(real) == 4 ? 12 : 8;  // limited by registers
    const unsigned blocks = blocks_for(n, 256);
    // Sums over 4096 bodies, up to a million bodies: then memory matters more. Not needed in
    // double.
    const unsigned tiles = 4 * blocks;
    const unsigned longest = sizeof(real) == 8 ? tiles : std::max(4096u / 64, tiles / 256);
    return best_shares(blocks, tiles, multiprocessors() * blocks_each, longest);
  }
};

}  // namespace nbody
