// Problem: every pair is computed twice.
// Idea: each pair once. A block of bodies i takes the batches after its own; the sums of each batch
// are loaded and stored for it, so several bodies i must share that cost. The batch that holds the
// block itself is still computed for both bodies of a pair.
// Predicted: 1.62 x, since 32 interactions take 10.5 cycles, where 16 took 8.5.
// Measured: 1.38 x.
// Why: loads and stores of the sums of j take time, and so does the end of each block. Every sum is
// one long float sum, which loses digits next to a heavy body: exhibits/sums_in_parts.hpp.
#pragma once

#include <algorithm>
#include <array>

#include "support/inverse_cube.hpp"
#include "support/padded.hpp"

namespace nbody {

class ThirdLaw : public Padded {
 public:
  using Padded::Padded;

  void compute_accelerations() override {
    pad();
    Sums sums = zeros();
    for (std::size_t i = 0; i < padded_size(); i += block_size) {
      add_pairs(i, own_batch(i), padded_size(), sums);
    }
    store(sums);
  }

 protected:
  // Divides the lanes of every instruction set and precision: a block lies within one batch.
  static constexpr std::size_t block_size = std::min<std::size_t>(lanes, 4);

  struct Sums {
    AlignedVector<real> x, y, z;
  };
  struct Body {
    Batch x, y, z, mass;
    Batch ax = Batch(0), ay = Batch(0), az = Batch(0);
  };
  using Block = std::array<Body, block_size>;

  Sums zeros() const {
    const AlignedVector<real> zeros(padded_size());
    return {zeros, zeros, zeros};
  }
  static std::size_t own_batch(std::size_t i) { return i / lanes * lanes; }

  // The block at i with the batches from `begin` to `end`, the first of which may be its own.
  void add_pairs(std::size_t i, std::size_t begin, std::size_t end, Sums& sums) const {
    const Batch softening2(softening * softening);
    Block block;
    for (std::size_t k = 0; k < block_size; ++k) {
      block[k] = {Batch(x[i + k]), Batch(y[i + k]), Batch(z[i + k]), Batch(mass[i + k])};
    }
    if (begin == own_batch(i)) {
      add_batch<true>(block, begin, softening2, sums);
      begin += lanes;
    }
    for (std::size_t j = begin; j < end; j += lanes) add_batch<false>(block, j, softening2, sums);
    for (std::size_t k = 0; k < block_size; ++k) {
      sums.x[i + k] += xsimd::reduce_add(block[k].ax);
      sums.y[i + k] += xsimd::reduce_add(block[k].ay);
      sums.z[i + k] += xsimd::reduce_add(block[k].az);
    }
  }

  void store(const Sums& sums) {
    const real factor = G * real(missing_factor);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      acceleration.x[i] = factor * sums.x[i];
      acceleration.y[i] = factor * sums.y[i];
      acceleration.z[i] = factor * sums.z[i];
    }
  }

 private:
  // What the bodies of the batch at j add to those of the block and, unless it is the block's own
  // batch, the reactions on them.
  template <bool own>
  void add_batch(Block& block, std::size_t j, const Batch& softening2, Sums& sums) const {
    const Batch xj = Batch::load_aligned(&x[j]), yj = Batch::load_aligned(&y[j]);
    const Batch zj = Batch::load_aligned(&z[j]), mj = Batch::load_aligned(&mass[j]);
    Batch axj = Batch::load_aligned(&sums.x[j]), ayj = Batch::load_aligned(&sums.y[j]);
    Batch azj = Batch::load_aligned(&sums.z[j]);
    for (Body& body : block) {
      const Batch dx = xj - body.x, dy = yj - body.y, dz = zj - body.z;
      const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
      Batch inverse = inverse_cube(r2);
      if constexpr (own) inverse = xsimd::select(r2 > Batch(0), inverse, Batch(0));
      const Batch weight = mj * inverse;
      body.ax = xsimd::fma(weight, dx, body.ax);
      body.ay = xsimd::fma(weight, dy, body.ay);
      body.az = xsimd::fma(weight, dz, body.az);
      if constexpr (own) continue;
      const Batch reaction = body.mass * inverse;
      axj = xsimd::fnma(reaction, dx, axj);
      ayj = xsimd::fnma(reaction, dy, ayj);
      azj = xsimd::fnma(reaction, dz, azj);
    }
    if constexpr (own) return;
    axj.store_aligned(&sums.x[j]);
    ayj.store_aligned(&sums.y[j]);
    azj.store_aligned(&sums.z[j]);
  }
};

}  // namespace nbody
