#pragma once

#include <algorithm>

#include "03_fused.hpp"
#include "simulator/threads.hpp"

namespace nbody {

// Problem: half of the roots and divisions are gone, and private_cyclic is limited by the number of
// its instructions: some 50 per pair.
// Idea: replace the loop by three simple loops over a tile of 64 bodies: distances, then roots and
// divisions, then sums. The middle one works on plain arrays, so the compiler handles four numbers
// with one instruction; -fno-math-errno frees it from reporting roots of negative numbers.
// Predicted: root, division and minimum cost a quarter, distances twice: 1.3 x. Measured: 1.4 x.
// The other two loops stay scalar because of the array of structures: part 2 begins here.
class SplitLoop : public Fused {
 public:
  using Fused::Fused;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    shares.resize(threads_in_use());
#pragma omp parallel for schedule(static)
    for (std::size_t share = 0; share < shares.size(); ++share) add_pairs(share);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) combine(i);
  }

 private:
  struct Sum {
    real ax, ay, az;
  };
  struct Share {  // what one thread has added up, for every body
    std::vector<Sum> sums;
    std::vector<real> nearest2;
  };
  std::vector<Share> shares;

  static constexpr std::size_t tile = 64;  // bodies per tile; stays in L1

  void add_pairs(std::size_t share) {
    const std::size_t n = bodies.size();
    Share& own = shares[share];
    own.sums.assign(n, {0, 0, 0});
    own.nearest2.assign(n, std::numeric_limits<real>::infinity());
    for (std::size_t i = share; i < n; i += shares.size()) add_row(i, own);
  }

  // Body i and those after it, a tile at a time.
  void add_row(std::size_t i, Share& own) {
    const std::size_t n = bodies.size();
    real d2[tile], inverse[tile], nearest[tile];
    std::fill(nearest, nearest + tile, std::numeric_limits<real>::infinity());
    for (std::size_t first = i + 1; first < n; first += tile) {
      const std::size_t size = std::min(tile, n - first);
      measure(bodies[i], &bodies[first], size, d2);
      invert(size, d2, inverse, nearest, &own.nearest2[first]);
      add_pulls(bodies[i], &bodies[first], size, inverse, own.sums[i], &own.sums[first]);
    }
    own.nearest2[i] = std::min(own.nearest2[i], *std::min_element(nearest, nearest + tile));
  }

  void measure(const Body& body, const Body* others, std::size_t size, real* d2) const {
    for (std::size_t k = 0; k < size; ++k) {
      const real dx = others[k].qx - body.qx;
      const real dy = others[k].qy - body.qy;
      const real dz = others[k].qz - body.qz;
      d2[k] = dx * dx + dy * dy + dz * dz;
    }
  }

  // Only plain arrays, no bodies: here the compiler handles four numbers at once. To allow this,
  // the nearest distance of body i is kept for each place in the tile.
  void invert(std::size_t size, const real* d2, real* inverse, real* nearest,
              real* others_nearest) const {
    const real softening2 = softening * softening;
    for (std::size_t k = 0; k < size; ++k) {
      const real r2 = d2[k] + softening2;
      inverse[k] = 1 / (r2 * std::sqrt(r2));
      nearest[k] = d2[k] < nearest[k] ? d2[k] : nearest[k];
      others_nearest[k] = d2[k] < others_nearest[k] ? d2[k] : others_nearest[k];
    }
  }

  void add_pulls(const Body& body, const Body* others, std::size_t size, const real* inverse,
                 Sum& sum, Sum* others_sums) const {
    const real qx = body.qx, qy = body.qy, qz = body.qz, mass = body.mass;
    real ax = 0, ay = 0, az = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const real dx = others[k].qx - qx;
      const real dy = others[k].qy - qy;
      const real dz = others[k].qz - qz;
      const real pull = others[k].mass * inverse[k];
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
      const real pull_back = mass * inverse[k];
      others_sums[k].ax -= pull_back * dx;
      others_sums[k].ay -= pull_back * dy;
      others_sums[k].az -= pull_back * dz;
    }
    sum.ax += ax;
    sum.ay += ay;
    sum.az += az;
  }

  // Always in the order of the shares: the same number of threads gives the same bits.
  void combine(std::size_t i) {
    Sum total = shares[0].sums[i];
    real nearest = shares[0].nearest2[i];
    for (std::size_t share = 1; share < shares.size(); ++share) {
      const Sum& other = shares[share].sums[i];
      total.ax += other.ax;
      total.ay += other.ay;
      total.az += other.az;
      nearest = std::min(nearest, shares[share].nearest2[i]);
    }
    bodies[i].ax = G * total.ax;
    bodies[i].ay = G * total.ay;
    bodies[i].az = G * total.az;
    nearest2[i] = nearest;
  }
};

}  // namespace nbody
