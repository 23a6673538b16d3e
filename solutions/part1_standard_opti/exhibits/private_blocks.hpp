#pragma once

#include "../03_fused.hpp"
#include "simulator/threads.hpp"

namespace nbody {

// Exhibit: right, without contention, but badly balanced.
// Problem: atomics pays for every addition, but only the totals are needed, once.
// Idea: each thread has private sums for all bodies; at the end T numbers are added for each body.
// Thread t gets the t-th block of rows.
// Predicted on paper: row i has N - 1 - i pairs, so the first of two blocks has 3/4 of all, and two
// threads are 4/3 x as fast as one, not 2 x (T threads: T^2 / (2 T - 1)). Measured: see the table.
// The loop is over shares, not threads, so it is right for any number of threads.
class PrivateBlocks : public Fused {
 public:
  using Fused::Fused;

  void compute_accelerations() override {
    const std::size_t n = bodies.size(), shares = threads_in_use();
    sums.resize(shares);
#pragma omp parallel for schedule(static)
    for (std::size_t share = 0; share < shares; ++share) add_pairs(share, shares);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) combine(i);
  }

 protected:
  struct Rows {
    std::size_t first, end, step;
  };
  virtual Rows rows_of(std::size_t share, std::size_t shares) const {
    const std::size_t n = bodies.size();
    return {n * share / shares, n * (share + 1) / shares, 1};
  }

  struct Sum {
    real ax, ay, az, nearest2;
  };
  using Sums = std::vector<Sum>;  // for every body
  std::vector<Sums> sums;         // of each share

  void clear(Sums& own) const {
    own.assign(bodies.size(), {0, 0, 0, std::numeric_limits<real>::infinity()});
  }

  // The pairs of row i.
  void add_row(std::size_t i, Sums& own) const {
    const std::size_t n = bodies.size();
    const real softening2 = softening * softening;
    const real qx = bodies[i].qx, qy = bodies[i].qy, qz = bodies[i].qz, mass = bodies[i].mass;
    real ax = 0, ay = 0, az = 0, nearest = std::numeric_limits<real>::infinity();
    for (std::size_t j = i + 1; j < n; ++j) {
      const real dx = bodies[j].qx - qx;
      const real dy = bodies[j].qy - qy;
      const real dz = bodies[j].qz - qz;
      const real d2 = dx * dx + dy * dy + dz * dz;
      const real r2 = d2 + softening2;
      const real inverse = 1 / (r2 * std::sqrt(r2));
      const real pull = bodies[j].mass * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
      const real pull_back = mass * inverse;
      own[j].ax -= pull_back * dx;
      own[j].ay -= pull_back * dy;
      own[j].az -= pull_back * dz;
      if (d2 < nearest) nearest = d2;
      if (d2 < own[j].nearest2) own[j].nearest2 = d2;
    }
    own[i].ax += ax;
    own[i].ay += ay;
    own[i].az += az;
    if (nearest < own[i].nearest2) own[i].nearest2 = nearest;
  }

  // Always in the order of the shares: the same number of threads gives the same bits.
  void combine(std::size_t i) {
    Sum total = sums[0][i];
    for (std::size_t share = 1; share < sums.size(); ++share) {
      const Sum& other = sums[share][i];
      total.ax += other.ax;
      total.ay += other.ay;
      total.az += other.az;
      if (other.nearest2 < total.nearest2) total.nearest2 = other.nearest2;
    }
    bodies[i].ax = G * total.ax;
    bodies[i].ay = G * total.ay;
    bodies[i].az = G * total.az;
    nearest2[i] = total.nearest2;
  }

 private:
  // The rows of one share, into sums that no other share touches.
  void add_pairs(std::size_t share, std::size_t shares) {
    clear(sums[share]);
    const Rows rows = rows_of(share, shares);
    for (std::size_t i = rows.first; i < rows.end; i += rows.step) add_row(i, sums[share]);
  }
};

}  // namespace nbody
