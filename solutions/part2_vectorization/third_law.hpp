#pragma once

#include "blocked.hpp"

namespace nbody {

// Problem: every pair is computed twice.
// Idea: each pair once. A block of rows meets the batches behind its own; a batch of j gets its
// share at once, and is loaded and stored for it, so a block of rows must be worth it. The batch
// that holds the rows themselves is done as before, both ways. Changed: sums of all bodies in
// memory; meet_both(); only batches behind the own.
template <typename T>
class ThirdLaw : public Blocked<T> {
 public:
  using Blocked<T>::Blocked;

  void compute_accelerations() override {
    this->pad();
    Sums sums = start_sums();
    for (std::size_t i = 0; i < this->padded_size(); i += rows) add_rows(sums, i);
    finish(sums);
  }

 protected:
  using typename Blocked<T>::Batch;
  using typename Blocked<T>::Block;
  using typename Blocked<T>::Row;
  using Blocked<T>::rows;
  using Blocked<T>::lanes;
  using Blocked<T>::acceleration;
  using Blocked<T>::bodies;
  using Blocked<T>::G;
  using Blocked<T>::mass;
  using Blocked<T>::softening;
  using Blocked<T>::x;
  using Blocked<T>::y;
  using Blocked<T>::z;

  struct Sums {
    AlignedVector<T> x, y, z;
  };

  Sums start_sums() const {
    const AlignedVector<T> zeros(this->padded_size(), T(0));
    return {zeros, zeros, zeros};
  }

  void finish(const Sums& sums) {
    const T factor = G * T(InverseCube<T>::missing_factor);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      acceleration.x[i] = factor * sums.x[i];
      acceleration.y[i] = factor * sums.y[i];
      acceleration.z[i] = factor * sums.z[i];
    }
  }

  // What the rows do to body j and what it does to them: the same, but for the other's mass.
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
      const Batch inverse = InverseCube<T>::of(r2);
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
    this->template meet<true>(block, own, softening2);
    for (std::size_t j = own + lanes; j < this->padded_size(); j += lanes) {
      meet_both(block, mi, sums, j, softening2);
    }
    for (std::size_t k = 0; k < rows; ++k) {
      sums.x[i + k] += xsimd::reduce_add(block[k].ax);
      sums.y[i + k] += xsimd::reduce_add(block[k].ay);
      sums.z[i + k] += xsimd::reduce_add(block[k].az);
    }
  }
};

}  // namespace nbody
