#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "machine/core_clock.hpp"

namespace nbody {

// How fast one core can be with scalar floats: the two lines of a roofline by hand.
struct Ceilings {
  Measured flops_per_second;      // independent additions and multiplications, as many of each
  Measured fma_flops_per_second;  // each counted as two; 0 without the instruction
  Measured l1_bytes_per_second;   // loads of an array that fits into L1
  Measured memory_bytes_per_second;
  std::size_t l1_array = 0, memory_array = 0;  // bytes
};

// `l1_bytes` and `largest_cache_bytes` of the processor; 0 where unknown.
Ceilings measure_ceilings(std::size_t l1_bytes, std::size_t largest_cache_bytes,
                          const std::function<void(const std::string&)>& on_progress);

}  // namespace nbody
