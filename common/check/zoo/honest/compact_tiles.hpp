#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// Orders bodies so that neighbours share a tile: the longest side of a box of bodies is halved
// until it has at most 128. Halving on to at most 32 gives a chunk.
class CompactTiles {
 public:
  static constexpr std::size_t tile_size = 128, chunk_size = 32;

  // Of `order`.
  struct Range {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
  };

  explicit CompactTiles(const Bodies<real>& bodies) : order(bodies.size()) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    halve(bodies, {0, order.size()});
  }

  std::vector<std::size_t> order;
  std::vector<Range> tiles, chunks;

 private:
  const std::vector<real>& longest_side(const Bodies<real>& bodies, Range range) const {
    const std::vector<real>* longest = &bodies.qx;
    real length = 0;
    for (const auto* q : {&bodies.qx, &bodies.qy, &bodies.qz}) {
      real least = (*q)[order[range.begin]], largest = least;
      for (std::size_t k = range.begin; k < range.end; ++k) {
        least = std::min(least, (*q)[order[k]]);
        largest = std::max(largest, (*q)[order[k]]);
      }
      if (largest - least <= length) continue;
      length = largest - least;
      longest = q;
    }
    return *longest;
  }

  void halve(const Bodies<real>& bodies, Range range, bool in_tile = false) {
    if (range.size() <= tile_size && !in_tile) {
      tiles.push_back(range);
      in_tile = true;
    }
    if (range.size() <= chunk_size) {
      chunks.push_back(range);
      return;
    }
    const std::vector<real>& q = longest_side(bodies, range);
    const std::size_t middle = range.begin + range.size() / 2;
    const auto place = [&](std::size_t k) {
      return order.begin() + static_cast<std::ptrdiff_t>(k);
    };
    std::nth_element(place(range.begin), place(middle), place(range.end),
                     [&](auto a, auto b) { return std::pair(q[a], a) < std::pair(q[b], b); });
    halve(bodies, {range.begin, middle}, in_tile);
    halve(bodies, {middle, range.end}, in_tile);
  }
};

}  // namespace nbody
