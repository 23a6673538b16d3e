#pragma once

#include <algorithm>
#include <array>

#include "inverse_cube.hpp"
#include "padded.hpp"

namespace nbody {

// Exhibit.
// Problem: the estimate of 1/sqrt and each step of its cube wait for the one before.
// Idea: start the next row before this one ends (software pipelining), so that there is always
// work. It gains nothing if the processor looks far enough ahead by itself.
// Changed: meet_both() in two halves, one row apart.
// Predicted: 1.1 x third_law. Measured: 0.88 x. The row begun early needs registers, so g++ 12
// keeps the sums on the stack.
class Pipelined : public Padded {
 public:
  using Padded::Padded;

  void compute_accelerations() override {
    pad();
    Sums sums = start_sums();
    for (std::size_t i = 0; i < padded_size(); i += rows) add_rows(sums, i);
    const real factor = G * real(missing_factor);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      acceleration.x[i] = factor * sums.x[i];
      acceleration.y[i] = factor * sums.y[i];
      acceleration.z[i] = factor * sums.z[i];
    }
  }

 protected:
  // Divides the lanes of every instruction set and precision: a block lies within one batch.
  static constexpr std::size_t rows = std::min<std::size_t>(lanes, 4);

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

  void add_rows(Sums& sums, std::size_t i) const {
    const Batch softening2(softening * softening);
    const std::size_t own = i / lanes * lanes, last = padded_size() - lanes;
    Block block;
    std::array<Batch, rows> mi;
    for (std::size_t k = 0; k < rows; ++k) {
      block[k].x = Batch(x[i + k]);
      block[k].y = Batch(y[i + k]);
      block[k].z = Batch(z[i + k]);
      mi[k] = Batch(mass[i + k]);
    }
    meet_own_batch(block, own, softening2);
    // No batch follows the last one: it is started once more, without effect.
    Begun next = begin(block[0], std::min(own + lanes, last), softening2);
    for (std::size_t j = own + lanes; j <= last; j += lanes) {
      const Batch mj = Batch::load_aligned(&mass[j]);
      Batch axj = Batch::load_aligned(&sums.x[j]), ayj = Batch::load_aligned(&sums.y[j]);
      Batch azj = Batch::load_aligned(&sums.z[j]);
      for (std::size_t k = 0; k < rows; ++k) {
        const Begun now = next;
        const std::size_t j_next = k + 1 < rows ? j : std::min(j + lanes, last);
        next = begin(block[(k + 1) % rows], j_next, softening2);
        const Batch inverse = inverse_cube(now.r2, now.estimate);
        const Batch pull = mj * inverse, pull_back = mi[k] * inverse;
        block[k].ax = xsimd::fma(pull, now.dx, block[k].ax);
        block[k].ay = xsimd::fma(pull, now.dy, block[k].ay);
        block[k].az = xsimd::fma(pull, now.dz, block[k].az);
        axj = xsimd::fnma(pull_back, now.dx, axj);
        ayj = xsimd::fnma(pull_back, now.dy, ayj);
        azj = xsimd::fnma(pull_back, now.dz, azj);
      }
      axj.store_aligned(&sums.x[j]);
      ayj.store_aligned(&sums.y[j]);
      azj.store_aligned(&sums.z[j]);
    }
    for (std::size_t k = 0; k < rows; ++k) {
      sums.x[i + k] += xsimd::reduce_add(block[k].ax);
      sums.y[i + k] += xsimd::reduce_add(block[k].ay);
      sums.z[i + k] += xsimd::reduce_add(block[k].az);
    }
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

  struct Begun {
    Batch dx, dy, dz, r2, estimate;
  };

  Begun begin(const Row& row, std::size_t j, const Batch& softening2) const {
    const Batch dx = Batch::load_aligned(&x[j]) - row.x, dy = Batch::load_aligned(&y[j]) - row.y;
    const Batch dz = Batch::load_aligned(&z[j]) - row.z;
    const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
    return {dx, dy, dz, r2, inverse_root(r2)};
  }
};

}  // namespace nbody
