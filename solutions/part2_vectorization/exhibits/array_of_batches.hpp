// Problem: a vector iteration of newton reads from four places in memory, one for each array.
// Idea: an array of structures of arrays (AoSoA). A block holds the masses and positions of as many
// bodies as a batch has lanes, so that a vector iteration reads one place: with AVX-512 four
// neighbouring cache lines.
// Predicted: 1 x. Four streams are few for a processor, and loads are not the limit.
// Measured: 1.03 x on an Intel Xeon, less than the spread of the rounds.
// Why: ./lab bound finds ports 0 and 5 full, as in newton, and with 64 to 1024 bodies it gains
// 0 to 3 %: the loads were not the limit.
#pragma once

#include "../support/inverse_cube.hpp"
#include "../support/padded.hpp"

namespace nbody {

class ArrayOfBatches : public Padded {
 public:
  using Padded::Padded;

  void compute_accelerations() override {
    pad();
    blocks.resize(padded_size() / lanes);
    for (std::size_t j = 0; j < padded_size(); j += lanes) {
      blocks[j / lanes] = {Batch::load_aligned(&mass[j]), Batch::load_aligned(&x[j]),
                           Batch::load_aligned(&y[j]), Batch::load_aligned(&z[j])};
    }
    const real factor = G * real(missing_factor);
    const Batch softening2(softening * softening), zero(0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Batch xi(x[i]), yi(y[i]), zi(z[i]);
      Batch ax(0), ay(0), az(0);
      for (const Block& block : blocks) {
        const Batch dx = block.x - xi, dy = block.y - yi, dz = block.z - zi;
        const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
        const Batch weight = block.mass * inverse_cube(r2);
        const Batch taken = xsimd::select(r2 > zero, weight, zero);
        ax = xsimd::fma(taken, dx, ax);
        ay = xsimd::fma(taken, dy, ay);
        az = xsimd::fma(taken, dz, az);
      }
      acceleration.x[i] = factor * xsimd::reduce_add(ax);
      acceleration.y[i] = factor * xsimd::reduce_add(ay);
      acceleration.z[i] = factor * xsimd::reduce_add(az);
    }
  }

 private:
  struct Block {
    Batch mass, x, y, z;
  };

  AlignedVector<Block> blocks;
};

}  // namespace nbody
