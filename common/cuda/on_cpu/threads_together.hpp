#pragma once

#include <cstring>
#include <source_location>
#include <type_traits>

#include "cuda/on_cpu/block.hpp"

// Barriers, and functions of the 32 lanes of a warp. Each knows the line that calls it, for its
// messages.
namespace nbody::on_cpu {

using Place = std::source_location;

// The value that lane `from` shows, of the type of `value`: the lane's own if that is one of a
// later group of `width` lanes, unwritten if it is not in the mask.
template <typename T>
T value_from(unsigned mask, T value, unsigned from, unsigned width, const Place& where) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(LaneValue));
  LaneValue shown{};
  std::memcpy(shown.data(), &value, sizeof value);
  const unsigned lane = this_block().lane();
  const LaneValues& all = this_block().meet(mask, shown, where);
  if (from / width > lane / width) from = lane;
  std::memcpy(&value, all[from].data(), sizeof value);
  if ((mask >> from & 1) == 0) std::memset(&value, 0xff, sizeof value);
  return value;
}

}  // namespace nbody::on_cpu

#define ON_CPU_HERE const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()

inline void __syncthreads(ON_CPU_HERE) { nbody::on_cpu::this_block().wait_for_all(where); }
inline void __syncwarp(unsigned mask = 0xffffffff, ON_CPU_HERE) {
  nbody::on_cpu::this_block().meet(mask, {}, where);
}

#define ON_CPU_SHUFFLE(name, By, from)                                               \
  template <typename T>                                                              \
  T name(unsigned mask, T value, By by, int width = 32, ON_CPU_HERE) {               \
    const unsigned lane = nbody::on_cpu::this_block().lane(), number = unsigned(by), \
                   lanes = unsigned(width);                                          \
    return nbody::on_cpu::value_from(mask, value, from, lanes, where);               \
  }
ON_CPU_SHUFFLE(__shfl_sync, int, lane / lanes * lanes + number % lanes)
ON_CPU_SHUFFLE(__shfl_up_sync, unsigned, number > lane % lanes ? lane : lane - number)
ON_CPU_SHUFFLE(__shfl_down_sync, unsigned, lane + number)
ON_CPU_SHUFFLE(__shfl_xor_sync, int, lane ^ number)
#undef ON_CPU_SHUFFLE

inline unsigned __ballot_sync(unsigned mask, int condition, ON_CPU_HERE) {
  const auto& all = nbody::on_cpu::this_block().meet(mask, {std::byte{condition != 0}}, where);
  unsigned votes = 0;
  for (unsigned lane = 0; lane < nbody::on_cpu::lanes; ++lane) {
    if (all[lane][0] == std::byte{1}) votes |= mask & 1u << lane;
  }
  return votes;
}
inline int __any_sync(unsigned mask, int condition, ON_CPU_HERE) {
  return __ballot_sync(mask, condition, where) != 0;
}
inline int __all_sync(unsigned mask, int condition, ON_CPU_HERE) {
  return __ballot_sync(mask, condition == 0, where) == 0;
}
#undef ON_CPU_HERE
