// Problem: from dx to the sums ten instructions wait for each other, and the core cannot
// look far enough ahead to fill the gaps with the next vector iteration.
// Idea: register blocking. A batch of j is loaded once for several bodies i, whose chains are
// independent. The batch that holds the bodies i themselves is outside the loops, which therefore
// need no select. --unroll says how many bodies i: 2, 4 or 8.
// Predicted: 1.1 x; less with 2, where a load serves half as many, and with 8: registers run out.
// Measured: 1.06 x; blocks of 2 and of 8 reach 0.96 and 0.98 of that.
// Why: loads were not the limit. By llvm-mca a Xeon's newton keeps ports 0 and 5 busy for 94 and
// 92 % of the time, blocked for 99 and 96 %, and without the select 16 interactions need 7.5 cycles
// instead of 8: 1.14 x there.
#pragma once

#include <array>

#include "support/inverse_cube.hpp"
#include "support/padded.hpp"

namespace nbody {

class Blocked : public Padded {
 public:
  static constexpr std::array unrolls = {4U, 2U, 8U};  // the default first

  explicit Blocked(const Problem& problem) : Padded(problem) {
    if (problem.tuning.unroll == 2) choose<2>();
    if (problem.tuning.unroll == 8) choose<8>();
  }

  void compute_accelerations() override {
    pad();
    for (std::size_t i = 0; i < padded_size(); i += block_size) add_block(i);
  }

 protected:
  // Divides the lanes of every instruction set and precision: a block lies within one batch.
  static constexpr std::size_t up_to(std::size_t wanted) { return std::min(lanes, wanted); }

  // The default is called by its name, so that ./lab bound finds it.
  void add_block(std::size_t i) {
    return chosen != nullptr ? (this->*chosen)(i) : add_bodies<up_to(4)>(i);
  }

  std::size_t block_size = up_to(4);

 private:
  struct Body {
    Batch x, y, z;
    Batch ax = Batch(0), ay = Batch(0), az = Batch(0);
  };

  template <std::size_t wanted>
  void choose() {
    block_size = up_to(wanted);
    chosen = &Blocked::add_bodies<up_to(wanted)>;
  }

  // Bodies i, i + 1, ... of a block.
  template <std::size_t size>
  void add_bodies(std::size_t i) {
    const Batch softening2(softening * softening);
    const std::size_t own = i / lanes * lanes;
    std::array<Body, size> block;
    for (std::size_t k = 0; k < size; ++k) {
      block[k] = {Batch(x[i + k]), Batch(y[i + k]), Batch(z[i + k])};
    }
    for (std::size_t j = 0; j < own; j += lanes) add_batch<false>(block, j, softening2);
    add_batch<true>(block, own, softening2);
    for (std::size_t j = own + lanes; j < padded_size(); j += lanes) {
      add_batch<false>(block, j, softening2);
    }
    const real factor = G * real(missing_factor);
    for (std::size_t k = 0; k < size && i + k < bodies.size(); ++k) {
      acceleration.x[i + k] = factor * xsimd::reduce_add(block[k].ax);
      acceleration.y[i + k] = factor * xsimd::reduce_add(block[k].ay);
      acceleration.z[i + k] = factor * xsimd::reduce_add(block[k].az);
    }
  }

  // What the bodies of the batch at j add to each body of the block.
  template <bool own, std::size_t size>
  void add_batch(std::array<Body, size>& block, std::size_t j, const Batch& softening2) const {
    const Batch xj = Batch::load_aligned(&x[j]), yj = Batch::load_aligned(&y[j]);
    const Batch zj = Batch::load_aligned(&z[j]), mj = Batch::load_aligned(&mass[j]);
    for (Body& body : block) {
      const Batch dx = xj - body.x, dy = yj - body.y, dz = zj - body.z;
      const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
      Batch weight = mj * inverse_cube(r2);
      if constexpr (own) weight = xsimd::select(r2 > Batch(0), weight, Batch(0));
      body.ax = xsimd::fma(weight, dx, body.ax);
      body.ay = xsimd::fma(weight, dy, body.ay);
      body.az = xsimd::fma(weight, dz, body.az);
    }
  }

  void (Blocked::*chosen)(std::size_t) = nullptr;  // by --unroll
};

}  // namespace nbody
