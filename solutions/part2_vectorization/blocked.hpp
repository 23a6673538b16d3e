#pragma once

#include <array>

#include "newton.hpp"

namespace nbody {

// Problem: every interaction loads the body j anew, and one long chain of additions waits for
// itself. Idea: some bodies i at once. A batch of j is loaded once for all of them, and their
// chains are independent. The one batch of j that holds the i themselves is done apart: no select
// elsewhere. Changed: the loop over j is a function of a block of rows.
template <typename T, std::size_t wanted_rows = 4>
class Blocked : public Newton<T> {
 public:
  using Newton<T>::Newton;

  void compute_accelerations() override {
    this->pad();
    for (std::size_t i = 0; i < this->padded_size(); i += rows) add_rows(i);
  }

 protected:
  using typename Newton<T>::Batch;
  using Newton<T>::lanes;
  using Newton<T>::acceleration;
  using Newton<T>::bodies;
  using Newton<T>::G;
  using Newton<T>::mass;
  using Newton<T>::softening;
  using Newton<T>::x;
  using Newton<T>::y;
  using Newton<T>::z;

  // Divides the lanes of every instruction set and precision: a block lies within one batch.
  static constexpr std::size_t rows = lanes < wanted_rows ? lanes : wanted_rows;

  struct Row {
    Batch x, y, z;
    Batch ax = Batch(T(0)), ay = Batch(T(0)), az = Batch(T(0));
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
      Batch pull = mj * InverseCube<T>::of(r2);
      if constexpr (same_batch) pull = xsimd::select(r2 > Batch(T(0)), pull, Batch(T(0)));
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
    for (std::size_t j = own + lanes; j < this->padded_size(); j += lanes) {
      meet<false>(block, j, softening2);
    }
    const T factor = G * T(InverseCube<T>::missing_factor);
    for (std::size_t k = 0; k < rows && i + k < bodies.size(); ++k) {
      acceleration.x[i + k] = factor * xsimd::reduce_add(block[k].ax);
      acceleration.y[i + k] = factor * xsimd::reduce_add(block[k].ay);
      acceleration.z[i + k] = factor * xsimd::reduce_add(block[k].az);
    }
  }
};

}  // namespace nbody
