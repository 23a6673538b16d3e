#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "check/zoo/honest/compact_tiles.hpp"
#include "check/zoo/plain.hpp"
#include "cuda/on_cpu/half.hpp"

namespace nbody {

// hi + lo: 22 digits, which fit into a float.
inline float rounded_to_two_halves(float x) {
  const float hi = rounded_to_half(x);
  return hi + rounded_to_half(x - hi);
}

// What keeps half precision right.
struct HalfGuards {
  // Operands are pairs of halves; the common factor of the weights stays a float.
  bool split = true;
  bool near = true;   // bodies near the tile are computed pair by pair, by differences
  bool heavy = true;  // heavy bodies are computed in floats
};

// Forces as the matrix units of a GPU compute them: factors are halves, sums are floats. A tile of
// 128 bodies i has a centre c. With u = x_i - c and y = x_j - c
//
//   r^2 = |u|^2 + (|y|^2 + eps^2) - 2 u.y
//   a_i = G (sum of w m_j y_j - u_i sum of w m_j),  w = 1/r^3
//
// are products of matrices. Units are powers of two, chosen for each chunk of 32 bodies j.
class HalfTiles : public Plain {
 public:
  explicit HalfTiles(const Problem& problem, HalfGuards guards = {})
      : Plain(problem), guards_(guards) {}

  void compute_accelerations() override {
    clear_accelerations();
    const CompactTiles compact(bodies);
    order_ = compact.order;
    const real all = std::accumulate(bodies.mass.begin(), bodies.mass.end(), real(0));
    heavy_ = guards_.heavy ? all / 256 : std::numeric_limits<real>::infinity();
    mass_unit_ = power_of_two_above(heaviest_light()) / 16;
    for (const Range& tile : compact.tiles) add_tile(tile, compact.chunks);
  }

 protected:
  static constexpr std::size_t chunk_size = CompactTiles::chunk_size;
  using Range = CompactTiles::Range;

  struct Tile : Range {
    Triple centre;
    real radius = 0;
  };
  // A chunk, as input of the matrix unit.
  struct Chunk {
    std::array<Triple, chunk_size> y, my;
    std::array<real, chunk_size> y2, m;
    Triple sum_my;  // in floats
    real sum_m = 0, common = 0, unit = 1;
  };

  static real power_of_two_above(real x) { return x > 0 ? std::exp2(std::ceil(std::log2(x))) : 1; }
  static real dot(const Triple& a, const Triple& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

  real operand(real x) const {
    return guards_.split ? rounded_to_two_halves(x) : rounded_to_half(x);
  }
  Triple operand(const Triple& q) const { return {operand(q.x), operand(q.y), operand(q.z)}; }

  bool is_heavy(std::size_t j) const { return bodies.mass[j] > heavy_; }
  real heaviest_light() const {
    real heaviest = 0;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (!is_heavy(j)) heaviest = std::max(heaviest, bodies.mass[j]);
    }
    return heaviest;
  }

  Triple from(const Triple& centre, std::size_t k) const {
    const std::size_t j = order_[k];
    return {bodies.qx[j] - centre.x, bodies.qy[j] - centre.y, bodies.qz[j] - centre.z};
  }

  void add_tile(Range range, const std::vector<Range>& chunks) {
    Tile tile{range, {}};
    for (std::size_t k = tile.begin; k < tile.end; ++k) tile.centre += from({}, k);
    tile.centre = tile.centre * (1 / static_cast<real>(tile.size()));
    for (std::size_t k = tile.begin; k < tile.end; ++k) {
      tile.radius = std::max(tile.radius, from(tile.centre, k).length());
    }
    for (const Range& chunk : chunks) {
      const bool near = is_near(tile, chunk);
      meet_by_differences(tile, chunk, guards_.near && near);
      if (!guards_.near || !near) meet_by_products(tile, chunk, near);
    }
  }

  // Near the tile, differences of squares cancel; a chunk that is both near and far has weights
  // beyond the range of half.
  bool is_near(const Tile& tile, Range chunk) const {
    real nearest = std::numeric_limits<real>::infinity(), farthest = 0;
    for (std::size_t k = chunk.begin; k < chunk.end; ++k) {
      const real distance = from(tile.centre, k).length();
      nearest = std::min(nearest, distance);
      farthest = std::max(farthest, distance);
    }
    return nearest < real(2) * tile.radius || nearest <= farthest / 8;
  }

  // All bodies of the chunk, or the heavy ones alone.
  void meet_by_differences(const Tile& tile, Range chunk, bool all) {
    for (std::size_t l = chunk.begin; l < chunk.end; ++l) {
      if (!all && !is_heavy(order_[l])) continue;
      for (std::size_t k = tile.begin; k < tile.end; ++k) {
        if (k != l) add_acceleration(order_[k], pull(order_[k], order_[l]));
      }
    }
  }

  // Places below 8 and masses up to 16 in units of the chunk.
  Chunk operands(const Tile& tile, Range range, bool near) const {
    Chunk chunk{};
    real farthest = 0;
    for (std::size_t k = range.begin; k < range.end; ++k) {
      farthest = std::max(farthest, from(tile.centre, k).length());
    }
    chunk.unit = power_of_two_above(farthest) / 8;
    real mean_y2 = 0;
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const std::size_t slot = k - range.begin;
      const Triple y = from(tile.centre, k) * (1 / chunk.unit);
      const real m = is_heavy(order_[k]) ? 0 : bodies.mass[order_[k]] / mass_unit_;
      chunk.y[slot] = operand(y);
      chunk.y2[slot] = operand(dot(y, y) + softening2 / (chunk.unit * chunk.unit));
      chunk.m[slot] = operand(m);
      chunk.my[slot] = operand(y * m);
      chunk.sum_m += chunk.m[slot];
      chunk.sum_my += chunk.my[slot];
      mean_y2 += dot(y, y) / static_cast<real>(range.size());
    }
    if (guards_.split && !near) chunk.common = weight(mean_y2);
    return chunk;
  }

  // 1/r^3 where 4 is the unit of length: at most 4096, for r >= 1/4 if a chunk is not near.
  static real weight(real r2) {
    const real inverse = 4 / std::sqrt(r2);
    return inverse * inverse * inverse;
  }

  // Near the tile, without that guard, weights stay floats: halves end at 65504.
  void meet_by_products(const Tile& tile, Range range, bool near) {
    const Chunk chunk = operands(tile, range, near);
    const real scale = G * mass_unit_ / (64 * chunk.unit * chunk.unit);
    const real least = std::max(softening2 / (chunk.unit * chunk.unit), real(0x1p-18));
    for (std::size_t k = tile.begin; k < tile.end; ++k) {
      const Triple place = from(tile.centre, k) * (1 / chunk.unit), u = operand(place);
      const real u2 = operand(dot(place, place));
      Triple pulls = chunk.sum_my * chunk.common;
      real weights = chunk.sum_m * chunk.common;
      for (std::size_t slot = 0; slot < range.size(); ++slot) {
        const real r2 = u2 + chunk.y2[slot] - 2 * dot(u, chunk.y[slot]);
        const real own = range.begin + slot == k ? 0 : weight(std::max(r2, least));
        const real rest = near ? own : rounded_to_half(own - chunk.common);
        pulls += chunk.my[slot] * rest;
        weights += chunk.m[slot] * rest;
      }
      add_acceleration(order_[k], (pulls += place * -weights) * scale);
    }
  }

 private:
  HalfGuards guards_;
  std::vector<std::size_t> order_;
  real heavy_ = 0, mass_unit_ = 1;
};

}  // namespace nbody
