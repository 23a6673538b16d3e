// Problem: a large float sum rounds what is added to it to its last digit, and every sum of
// third_law grows over all pairs of its body (docs/physics.md).
// Idea: start a new partial sum, at 0, after 1024 terms for a body j and after 512 batches for a
// body i.
// Predicted: 1 x, with three additions more for 1024 pairs; errors below 1e-5 at any N.
// Measured: 0.993 x. With 131072 bodies the worst error is 2.3e-7 if masses are equal and 1.7e-6
// next to a heavy one, for third_law 5.8e-6 and 1.2e-4 (./lab check part2 NAME --thorough -v).
// Why: a part of 1024 terms has lost little when it is added to the total.
#pragma once

#include "../05_third_law.hpp"

namespace nbody {

class SumsInParts : public ThirdLaw {
 public:
  using ThirdLaw::ThirdLaw;

  void compute_accelerations() override {
    pad();
    const std::size_t n = padded_size();
    Sums part = zeros(), total = zeros();
    for (std::size_t begin = 0; begin < n; begin += i_of_a_part) {
      for (std::size_t i = begin; i < std::min(begin + i_of_a_part, n); i += block_size) {
        for (std::size_t j = own_batch(i); j < n; j += j_of_a_part) {
          add_pairs(i, j, std::min(j + j_of_a_part, n), part);
        }
      }
      add_and_clear(part.x, total.x, begin);
      add_and_clear(part.y, total.y, begin);
      add_and_clear(part.z, total.z, begin);
    }
    store(total);
  }

 private:
  static constexpr std::size_t i_of_a_part = 1024, j_of_a_part = 512 * lanes;

  // Bodies i from `begin` on, and the bodies j after them, have something in their part.
  static void add_and_clear(AlignedVector<real>& part, AlignedVector<real>& total,
                            std::size_t begin) {
    for (std::size_t j = begin; j < part.size(); ++j) {
      total[j] += part[j];
      part[j] = 0;
    }
  }
};

}  // namespace nbody
