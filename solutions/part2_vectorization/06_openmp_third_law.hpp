#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "support/inverse_cube.hpp"
#include "support/padded.hpp"
#include "simulator/threads.hpp"

namespace nbody {

// Problem: with the third law two threads may write to the same body j.
// Idea: per-thread sums, and a cyclic schedule of blocks of rows: each block meets one batch less
// than the one before, so neighbouring blocks cost nearly the same. For a fixed number of threads
// the order of additions is fixed: the same bits in every run.
// Changed: a share for each thread, and their sum at the end; also the search for the nearest
// neighbours.
// Predicted: 2 x third_law on two threads. Measured: 1.90 x. The shares must be cleared and added.
class OpenmpThirdLaw : public Padded {
 public:
  using Padded::Padded;

  void compute_accelerations() override {
    pad();
    shares.resize(threads_in_use());
#pragma omp parallel for schedule(static)
    for (std::size_t share = 0; share < shares.size(); ++share) {
      shares[share] = start_sums();
      add_blocks(shares[share], share);
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < bodies.size(); ++i) combine(i);
  }

  real largest_time_step() override {
    nearest2.resize(bodies.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < nearest2.size(); ++i) nearest2[i] = Padded::nearest_neighbour2(i);
    return Padded::largest_time_step();
  }

 protected:
  real nearest_neighbour2(std::size_t i) const override { return nearest2[i]; }

 private:
  // Divides the lanes of every instruction set and precision: a block lies within one batch.
  static constexpr std::size_t rows = std::min<std::size_t>(lanes, 4);
  static constexpr std::size_t rows_of_a_part = 1024;           // that one body j meets
  static constexpr std::size_t bodies_of_a_part = 512 * lanes;  // that one row meets

  struct Sums {
    AlignedVector<real> x, y, z;
  };
  struct Row {
    Batch x, y, z;
    Batch ax = Batch(0), ay = Batch(0), az = Batch(0);
  };
  using Block = std::array<Row, rows>;

  Sums start_sums() const {
    const AlignedVector<real> zeros(padded_size(), real(0));
    return {zeros, zeros, zeros};
  }

  // Of n shares, share k has the blocks of rows k, k + n, k + 2n, ...
  void add_blocks(Sums& sums, std::size_t share) const {
    Sums part = start_sums();
    std::size_t begin = share * rows;
    for (std::size_t i = begin; i < padded_size(); i += shares.size() * rows) {
      if (i - begin == shares.size() * rows_of_a_part) {
        put_away(part, sums, begin);
        begin = i;
      }
      add_rows(part, i);
    }
    put_away(part, sums, begin);
  }

  // Rows from `begin` on and the bodies after them have something in their part.
  static void put_away(Sums& part, Sums& sums, std::size_t begin) {
    for (auto [from, to] : {std::pair{&part.x, &sums.x}, {&part.y, &sums.y}, {&part.z, &sums.z}}) {
      for (std::size_t j = begin; j < from->size(); ++j) {
        (*to)[j] += (*from)[j];
        (*from)[j] = 0;
      }
    }
  }

  void add_rows(Sums& sums, std::size_t i) const {
    const Batch softening2(softening * softening);
    const std::size_t own = i / lanes * lanes;
    Block block;
    std::array<Batch, rows> mi;
    for (std::size_t k = 0; k < rows; ++k) {
      block[k].x = Batch(x[i + k]);
      block[k].y = Batch(y[i + k]);
      block[k].z = Batch(z[i + k]);
      mi[k] = Batch(mass[i + k]);
    }
    meet_own_batch(block, own, softening2);
    for (std::size_t j = own + lanes; j < padded_size();) {
      const std::size_t end = std::min(j + bodies_of_a_part, padded_size());
      for (; j < end; j += lanes) meet_both(block, mi, sums, j, softening2);
      add_row_sums(block, sums, i);
    }
    add_row_sums(block, sums, i);
  }

  // The pull on the rows of the batch that holds them.
  void meet_own_batch(Block& block, std::size_t j, const Batch& softening2) const {
    const Batch xj = Batch::load_aligned(&x[j]), yj = Batch::load_aligned(&y[j]);
    const Batch zj = Batch::load_aligned(&z[j]), mj = Batch::load_aligned(&mass[j]);
    for (Row& row : block) {
      const Batch dx = xj - row.x, dy = yj - row.y, dz = zj - row.z;
      const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
      const Batch pull = xsimd::select(r2 > Batch(0), mj * inverse_cube(r2), Batch(0));
      row.ax = xsimd::fma(pull, dx, row.ax);
      row.ay = xsimd::fma(pull, dy, row.ay);
      row.az = xsimd::fma(pull, dz, row.az);
    }
  }

  // The pull of the rows on body j and its pull on them: the same, except for the mass.
  void meet_both(Block& block, const std::array<Batch, rows>& mi, Sums& sums, std::size_t j,
                 const Batch& softening2) const {
    const Batch xj = Batch::load_aligned(&x[j]), yj = Batch::load_aligned(&y[j]);
    const Batch zj = Batch::load_aligned(&z[j]), mj = Batch::load_aligned(&mass[j]);
    Batch axj = Batch::load_aligned(&sums.x[j]), ayj = Batch::load_aligned(&sums.y[j]);
    Batch azj = Batch::load_aligned(&sums.z[j]);
    for (std::size_t k = 0; k < rows; ++k) {
      Row& row = block[k];
      const Batch dx = xj - row.x, dy = yj - row.y, dz = zj - row.z;
      const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
      const Batch inverse = inverse_cube(r2);
      const Batch pull = mj * inverse, pull_back = mi[k] * inverse;
      row.ax = xsimd::fma(pull, dx, row.ax);
      row.ay = xsimd::fma(pull, dy, row.ay);
      row.az = xsimd::fma(pull, dz, row.az);
      axj = xsimd::fnma(pull_back, dx, axj);
      ayj = xsimd::fnma(pull_back, dy, ayj);
      azj = xsimd::fnma(pull_back, dz, azj);
    }
    axj.store_aligned(&sums.x[j]);
    ayj.store_aligned(&sums.y[j]);
    azj.store_aligned(&sums.z[j]);
  }

  static void add_row_sums(Block& block, Sums& sums, std::size_t i) {
    for (std::size_t k = 0; k < rows; ++k) {
      Row& row = block[k];
      sums.x[i + k] += xsimd::reduce_add(row.ax);
      sums.y[i + k] += xsimd::reduce_add(row.ay);
      sums.z[i + k] += xsimd::reduce_add(row.az);
      row.ax = row.ay = row.az = Batch(0);
    }
  }

  void combine(std::size_t i) {
    real ax = 0, ay = 0, az = 0;
    for (const Sums& share : shares) {
      ax += share.x[i];
      ay += share.y[i];
      az += share.z[i];
    }
    const real factor = G * real(missing_factor);
    acceleration.x[i] = factor * ax;
    acceleration.y[i] = factor * ay;
    acceleration.z[i] = factor * az;
  }

  std::vector<Sums> shares;
  std::vector<real> nearest2;
};

}  // namespace nbody
