// Problem: a body's sums lie in sixteen lanes, and adding them up takes newton 27
// instructions for each body i, however few bodies j there are.
// Idea: lanes over i, as in Phantom-GRAPE (Tanikawa et al. 2013). A batch holds sixteen bodies i
// with their sums, and each body j is broadcast to all lanes. Nothing is added across lanes, and j
// needs no padding.
// Predicted: 1 x with 5000 bodies, where the inner loops are the same; 2 x with 64.
// Measured: 1.12 x on an Intel Xeon; 1.06 x with 1024 bodies, 1.41 x with 64.
// Why: by ./lab bound both loops take 8 cycles at least. With 64 and with 256 bodies a body i
// of newton takes 20 and 18 cycles more, whatever N is: the three sums across lanes. From 1024
// to 5000 bodies newton's copies leave L1, and it loses 5 % where this gains 1 %. Here a lane sums
// up all bodies j, sixteen times as many as newton's: its error is larger.
#pragma once

#include "../support/inverse_cube.hpp"
#include "../support/padded.hpp"

namespace nbody {

class LanesOverI : public Padded {
 public:
  using Padded::Padded;

  void compute_accelerations() override {
    pad();
    const Batch factor(G * real(missing_factor)), softening2(softening * softening), zero(0);
    for (std::size_t i = 0; i < padded_size(); i += lanes) {
      const Batch xi = Batch::load_aligned(&x[i]), yi = Batch::load_aligned(&y[i]);
      const Batch zi = Batch::load_aligned(&z[i]);
      Batch ax(0), ay(0), az(0);
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        const Batch dx = Batch(x[j]) - xi, dy = Batch(y[j]) - yi, dz = Batch(z[j]) - zi;
        const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
        const Batch weight = Batch(mass[j]) * inverse_cube(r2);
        const Batch taken = xsimd::select(r2 > zero, weight, zero);
        ax = xsimd::fma(taken, dx, ax);
        ay = xsimd::fma(taken, dy, ay);
        az = xsimd::fma(taken, dz, az);
      }
      keep(factor * ax, acceleration.x, i);
      keep(factor * ay, acceleration.y, i);
      keep(factor * az, acceleration.z, i);
    }
  }

 private:
  // The last batch has lanes without a body.
  static void keep(const Batch& sums, std::vector<real>& to, std::size_t i) {
    std::array<real, lanes> each;
    sums.store_unaligned(each.data());
    std::copy_n(each.begin(), std::min(lanes, to.size() - i), &to[i]);
  }
};

}  // namespace nbody
