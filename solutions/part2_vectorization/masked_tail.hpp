#pragma once

#include <algorithm>
#include <array>

#include "../../part2_vectorization/naive.hpp"
#include "inverse_cube.hpp"

namespace nbody {

// Exhibit: newton without padding.
// Problem: padding copies masses and positions in every step, and its fillers have had a fault
// (README.md).
// Idea: no copies. The last batch of a row, which may be short, is loaded through a mask: the other
// lanes are 0, so have no mass. AVX-512 has such loads in one instruction.
// Predicted: 1 x newton. The copies are 4 N loads and stores beside N^2 pulls; a masked batch does
// the work of a padded one. With AVX2 and SSE2 less for few bodies, since the short batch goes
// through memory. Measured: 0.82 x, since three of four loads now touch two cache lines; with
// AVX2 0.92 x, and 0.52 x with 100 bodies.
// Changed: the interaction is a function, of four batches; the last one has another load.
class MaskedTail : public Naive {
 public:
  using Naive::Naive;

  void compute_accelerations() override {
    const std::size_t n = bodies.size(), whole = n / Batch::size * Batch::size;
    const real factor = G * real(missing_factor);
    for (std::size_t i = 0; i < n; ++i) {
      Row row = {Batch(bodies.qx[i]), Batch(bodies.qy[i]), Batch(bodies.qz[i])};
      for (std::size_t j = 0; j < whole; j += Batch::size) {
        meet(row, [j](const std::vector<real>& of) { return Batch::load_unaligned(&of[j]); });
      }
      if (whole < n)
        meet(row, [=](const std::vector<real>& of) { return rest(&of[whole], n - whole); });
      acceleration.x[i] = factor * xsimd::reduce_add(row.ax);
      acceleration.y[i] = factor * xsimd::reduce_add(row.ay);
      acceleration.z[i] = factor * xsimd::reduce_add(row.az);
    }
  }

 private:
  struct Row {
    Batch x, y, z, ax = Batch(0), ay = Batch(0), az = Batch(0);
  };

  template <typename Load>
  void meet(Row& row, const Load& load) const {
    const Batch softening2(softening * softening), zero(0);
    const Batch dx = load(bodies.qx) - row.x;
    const Batch dy = load(bodies.qy) - row.y;
    const Batch dz = load(bodies.qz) - row.z;
    const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
    const Batch pull = load(bodies.mass) * inverse_cube(r2);
    const Batch taken = xsimd::select(r2 > zero, pull, zero);
    row.ax = xsimd::fma(taken, dx, row.ax);
    row.ay = xsimd::fma(taken, dy, row.ay);
    row.az = xsimd::fma(taken, dz, row.az);
  }

  // The first `count` lanes; 0 in the others.
  static Batch rest(const real* from, std::size_t count) {
#ifdef __AVX512F__
    return load_masked((1U << count) - 1, from);
#else
    std::array<real, Batch::size> lanes{};
    std::copy(from, from + count, lanes.begin());
    return Batch::load_unaligned(lanes.data());
#endif
  }
#ifdef __AVX512F__
  static __m512 load_masked(unsigned lanes, const float* from) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>(lanes), from);
  }
  static __m512d load_masked(unsigned lanes, const double* from) {
    return _mm512_maskz_loadu_pd(static_cast<__mmask8>(lanes), from);
  }
#endif
};

}  // namespace nbody
