#pragma once

#include "arrays.cuh"

namespace nbody {

// Sums of whole numbers: their order does not matter, so threads add to them as they come, and two
// runs give the same bits. A pull is counted in units of 2^-30 of the field that is expected at its
// body (`units` of them are 1). What would fill a 64-bit sum, the pull of a very near body, is
// counted in units of 2^16 of these: there is room for 2^48 times the expected field.
struct FixedSums {
  unsigned long long* numbers;  // fine x, y, z, coarse x, y, z: `size` of each, then `broken`
  std::size_t size;

  static constexpr int arrays = 7;
  static constexpr float units_of_field = 0x1p30f, coarse_from = 0x1p40f, coarse_unit = 0x1p16f,
                         too_large = 0x1p78f;

  __device__ void add(std::size_t place, const float3& pull, float units) const {
    const float x = pull.x * units, y = pull.y * units, z = pull.z * units;
    const float size_of_it = fabsf(x) + fabsf(y) + fabsf(z);  // NaN if one of them is
    unsigned long long* to = numbers + place;
    if (size_of_it < coarse_from) {
      add_whole(to, x, y, z);
    } else if (size_of_it < too_large) {
      constexpr float per_unit = 1 / coarse_unit;
      add_whole(to + 3 * size, x * per_unit, y * per_unit, z * per_unit);
    } else {
      to[6 * size] = 1;
    }
  }

  // NaN where a pull was none, or too large.
  __device__ float total(std::size_t place, int axis, float units) const {
    if (numbers[6 * size + place] != 0) return nanf("");
    const auto fine = static_cast<long long>(numbers[axis * size + place]);
    const auto coarse = static_cast<long long>(numbers[(axis + 3) * size + place]);
    return static_cast<float>((static_cast<double>(fine) + 0x1p16 * static_cast<double>(coarse)) /
                              units);
  }

 private:
  __device__ void add_whole(unsigned long long* to, float x, float y, float z) const {
    atomicAdd(to, static_cast<unsigned long long>(__float2ll_rn(x)));
    atomicAdd(to + size, static_cast<unsigned long long>(__float2ll_rn(y)));
    atomicAdd(to + 2 * size, static_cast<unsigned long long>(__float2ll_rn(z)));
  }
};

}  // namespace nbody
