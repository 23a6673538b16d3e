#pragma once

#include <algorithm>
#include <array>

#include "../support/inverse_cube.hpp"
#include "../support/padded.hpp"

namespace nbody {

// Problem: only one of several cores is used.
// Idea: blocks of rows share nothing, so any thread may take any block. Static: all blocks cost the
// same, and a thread gets the same blocks in every step.
// Changed: the pragma; also for the nearest neighbours, or all threads would wait for them.
// Predicted: 2 x blocked on two threads. Measured: 2.04 x; the rounds differ by 12 %.
class OpenmpDirect : public Padded {
 public:
  using Padded::Padded;

  void compute_accelerations() override {
    pad();
    const std::size_t blocks = padded_size() / rows;
#pragma omp parallel for schedule(static)
    for (std::size_t block = 0; block < blocks; ++block) add_rows(block * rows);
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

  struct Row {
    Batch x, y, z;
    Batch ax = Batch(0), ay = Batch(0), az = Batch(0);
  };
  using Block = std::array<Row, rows>;

  // Rows i, i + 1, ... meet the bodies j, j + 1, ... of one batch.
  template <bool same_batch>
  void meet(Block& block, std::size_t j, const Batch& softening2) const {
    const Batch xj = Batch::load_aligned(&x[j]), yj = Batch::load_aligned(&y[j]);
    const Batch zj = Batch::load_aligned(&z[j]), mj = Batch::load_aligned(&mass[j]);
    for (Row& row : block) {
      const Batch dx = xj - row.x, dy = yj - row.y, dz = zj - row.z;
      const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
      Batch pull = mj * inverse_cube(r2);
      if constexpr (same_batch) pull = xsimd::select(r2 > Batch(0), pull, Batch(0));
      row.ax = xsimd::fma(pull, dx, row.ax);
      row.ay = xsimd::fma(pull, dy, row.ay);
      row.az = xsimd::fma(pull, dz, row.az);
    }
  }

  void add_rows(std::size_t i) {
    const Batch softening2(softening * softening);
    const std::size_t own = i / lanes * lanes;
    Block block;
    for (std::size_t k = 0; k < rows; ++k) {
      block[k].x = Batch(x[i + k]);
      block[k].y = Batch(y[i + k]);
      block[k].z = Batch(z[i + k]);
    }
    for (std::size_t j = 0; j < own; j += lanes) meet<false>(block, j, softening2);
    meet<true>(block, own, softening2);
    for (std::size_t j = own + lanes; j < padded_size(); j += lanes) {
      meet<false>(block, j, softening2);
    }
    const real factor = G * real(missing_factor);
    for (std::size_t k = 0; k < rows && i + k < bodies.size(); ++k) {
      acceleration.x[i + k] = factor * xsimd::reduce_add(block[k].ax);
      acceleration.y[i + k] = factor * xsimd::reduce_add(block[k].ay);
      acceleration.z[i + k] = factor * xsimd::reduce_add(block[k].az);
    }
  }

  std::vector<real> nearest2;
};

}  // namespace nbody
