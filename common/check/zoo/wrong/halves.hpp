#pragma once

#include "check/zoo/honest/half_tiles.hpp"
#include "check/zoo/plain.hpp"

namespace nbody {

// Half precision without one of its guards; honest/half_tiles.hpp has all.

// One half for each number, 11 digits, where two are needed; a weight is a single half, too.
class UnsplitHalves : public HalfTiles {
 public:
  explicit UnsplitHalves(const Problem& problem) : HalfTiles(problem, {.split = false}) {}
};

// A giant's pull is computed in halves like all others: its weight has 11 digits, and no other pull
// hides the rounding.
class NoHeavyGuard : public HalfTiles {
 public:
  explicit NoHeavyGuard(const Problem& problem) : HalfTiles(problem, {.heavy = false}) {}
};

// Few bodies use another kernel, which is right.
class HalvesOfMany : public HalfTiles {
 public:
  HalvesOfMany(const Problem& problem, HalfGuards guards, std::size_t many)
      : HalfTiles(problem, guards), many_(many) {}

  void compute_accelerations() override {
    if (bodies.size() < many_) return Plain::compute_accelerations();
    HalfTiles::compute_accelerations();
  }

 private:
  std::size_t many_;
};

// Neighbours are computed like all others, by |u|^2 + |y|^2 - 2 u.y: squares of the tile's size
// cancel down to a small distance.
class NoNearList : public HalvesOfMany {
 public:
  explicit NoNearList(const Problem& problem) : HalvesOfMany(problem, {.near = false}, 512) {}
};

// No guard for heavy bodies, as in no_heavy_guard, in systems larger than all of the ladder. Beside
// a very heavy body long float sums may lose more than this, so only a program that promises sums
// that hold fails.
class HeavyInHalves : public HalvesOfMany {
 public:
  explicit HeavyInHalves(const Problem& problem) : HalvesOfMany(problem, {.heavy = false}, 8192) {}
};

// --- without any guard -------------------------------------------------------------------------

// Positions and distances with the 11 bits of a half, as in half2: few bodies are right to three
// digits, neighbours among many to none.
class HalfDistances : public Plain {
 public:
  using Plain::Plain;

 protected:
  Triple pull(std::size_t i, std::size_t j) const override {
    const auto from_i_to_j = [&](const std::vector<real>& q) {
      return rounded_to_half(rounded_to_half(q[j]) - rounded_to_half(q[i]));
    };
    const Triple d{from_i_to_j(bodies.qx), from_i_to_j(bodies.qy), from_i_to_j(bodies.qz)};
    const real r2 = rounded_to_half(d.x * d.x + d.y * d.y + d.z * d.z + softening2);
    if (!(r2 > 0)) return {};  // rounded, two bodies may be at one place
    const real inverse = inverse_distance(r2);
    return d * (inverse * inverse * inverse * G * bodies.mass[j]);
  }
};

}  // namespace nbody
