#pragma once

#include <algorithm>
#include <array>
#include <xsimd/xsimd.hpp>

#include "../../../part2_vectorization/naive.hpp"
#include "simulator/aligned.hpp"

namespace nbody {

// What all xsimd rungs share: copies of masses and positions, padded to whole batches. Padding
// bodies have zero mass. They are so far away that no distance to them is 0 (coordinates start
// below 1), but near enough that 1/r^3 is not subnormal: a step with subnormal numbers takes 100
// cycles more.
class Padded : public Naive {
 public:
  using Naive::Naive;

 protected:
  using Batch = xsimd::batch<real>;
  static constexpr std::size_t lanes = Batch::size;

  std::size_t padded_size() const { return (bodies.size() + lanes - 1) / lanes * lanes; }

  void pad() {
    const real far_away = real(1e8);
    copy_padded(bodies.mass, mass, real(0));
    copy_padded(bodies.qx, x, far_away);
    copy_padded(bodies.qy, y, far_away);
    copy_padded(bodies.qz, z, far_away);
  }

  // Uses the copies of pad(): the bodies move only after both are computed.
  real nearest_neighbour2(std::size_t i) const override {
    const real infinity = std::numeric_limits<real>::infinity();
    const Batch xi(x[i]), yi(y[i]), zi(z[i]);
    const std::size_t own = i / lanes * lanes;  // the batch with i itself, which is no neighbour
    Batch nearest(infinity);
    for (std::size_t j = 0; j < padded_size(); j += lanes) {
      const Batch dx = Batch::load_aligned(&x[j]) - xi;
      const Batch dy = Batch::load_aligned(&y[j]) - yi;
      const Batch dz = Batch::load_aligned(&z[j]) - zi;
      Batch distance2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, dz * dz));
      // By its lane, not as a distance of 0: another body at the same place does count.
      if (j == own) distance2 = with_lane(distance2, i - own, infinity);
      nearest = xsimd::min(nearest, distance2);
    }
    return xsimd::reduce_min(nearest);
  }

  AlignedVector<real> mass, x, y, z;

 private:
  static Batch with_lane(const Batch& batch, std::size_t lane, real value) {
    std::array<real, lanes> each;
    batch.store_unaligned(each.data());
    each[lane] = value;
    return Batch::load_unaligned(each.data());
  }

  void copy_padded(const std::vector<real>& from, AlignedVector<real>& to, real filler) {
    to.resize(padded_size(), filler);
    std::copy(from.begin(), from.end(), to.begin());
  }
};

}  // namespace nbody
