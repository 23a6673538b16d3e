#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace nbody {

// A body has one sum for each tier of 20 binary orders of magnitude. A force goes to the tier of
// its size, in units of 2^-24 to 2^-44 of it: this loses no more than a float would, and a sum has
// room for 2^19 forces.
struct FixedSums {
  unsigned long long* numbers;  // x, y, z of tier 0, of tier 1, ...: `size` of each, then `broken`
  std::size_t size;

  static constexpr unsigned tier_bits = 20, tiers = 254 / tier_bits + 1, arrays = 3 * tiers + 1;

  __device__ void add(std::size_t slot, const float3& force) const {
    const float length = fabsf(force.x) + fabsf(force.y) + fabsf(force.z);
    const unsigned exponent = __float_as_uint(length) >> 23, tier = exponent / tier_bits;
    if (exponent == 255) {  // infinite, or NaN
      numbers[3 * tiers * size + slot] = 1;
      return;
    }
    const float in_tier = __uint_as_float((254 - tier_bits * tier) << 23);  // 2^(127 - 20 tier)
    unsigned long long* to = numbers + 3 * tier * size + slot;
    for (const float x : {force.x, force.y, force.z}) {
      atomicAdd(to, static_cast<unsigned long long>(__float2ll_rn(x * in_tier * 0x1p24f)));
      to += size;
    }
  }

  // NaN if a force was NaN.
  __device__ float total(std::size_t slot, unsigned axis) const {
    if (numbers[3 * tiers * size + slot] != 0) return nanf("");
    double sum = 0;
    for (unsigned tier = 0; tier < tiers; ++tier) {
      const auto counted = static_cast<long long>(numbers[(3 * tier + axis) * size + slot]);
      sum += scalbn(static_cast<double>(counted), static_cast<int>(tier_bits * tier) - 127 - 24);
    }
    return static_cast<float>(sum);
  }
};

}  // namespace nbody
