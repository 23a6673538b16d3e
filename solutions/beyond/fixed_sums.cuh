#pragma once

#include "../part3_cuda/support/arrays.cuh"

namespace nbody {

// Sums of whole numbers: their order does not matter, so threads add in any order, and two runs
// give the same bits. A body has one sum for each tier of 20 binary orders of magnitude. A pull
// goes to the tier of its size, in units of 2^-24 to 2^-44 of it: this loses no more than a float
// would, and a sum has room for 2^19 pulls.
struct FixedSums {
  unsigned long long* numbers;  // x, y, z of tier 0, of tier 1, ...: `size` of each, then `broken`
  std::size_t size;

  static constexpr unsigned tier_bits = 20, tiers = 254 / tier_bits + 1;
  static constexpr unsigned arrays = 3 * tiers + 1;

  __device__ void add(std::size_t place, const float3& pull) const {
    const float length = fabsf(pull.x) + fabsf(pull.y) + fabsf(pull.z);
    const unsigned exponent = __float_as_uint(length) >> 23;  // 255: infinite, or NaN
    if (exponent == 255) {
      numbers[3 * tiers * size + place] = 1;
      return;
    }
    const unsigned tier = exponent / tier_bits;
    const float in_tier = __uint_as_float((254 - tier_bits * tier) << 23);  // 2^(127 - 20 tier)
    unsigned long long* to = numbers + 3 * tier * size + place;
    atomicAdd(to, whole(pull.x * in_tier));
    atomicAdd(to + size, whole(pull.y * in_tier));
    atomicAdd(to + 2 * size, whole(pull.z * in_tier));
  }

  // NaN if a pull was NaN.
  __device__ float total(std::size_t place, unsigned axis) const {
    if (numbers[3 * tiers * size + place] != 0) return nanf("");
    double sum = 0;
    for (unsigned tier = 0; tier < tiers; ++tier) {
      const auto counted = static_cast<long long>(numbers[(3 * tier + axis) * size + place]);
      sum += scalbn(static_cast<double>(counted), static_cast<int>(tier_bits * tier) - 127 - 24);
    }
    return static_cast<float>(sum);
  }

 private:
  __device__ static unsigned long long whole(float x) {
    return static_cast<unsigned long long>(__float2ll_rn(x * 0x1p24f));
  }
};

}  // namespace nbody
