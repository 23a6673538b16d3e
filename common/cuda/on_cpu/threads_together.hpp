#pragma once

#include <cstring>
#include <source_location>
#include <type_traits>

#include "cuda/on_cpu/block.hpp"

// Barriers, and functions of the 32 lanes of a warp. Each knows the line that calls it, for its
// messages.
namespace nbody::on_cpu {

using Place = std::source_location;

// The value that lane `from` shows, of the type of `value`.
template <typename T>
T value_from(unsigned mask, T value, unsigned from, const Place& where) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(LaneValue));
  LaneValue shown{};
  std::memcpy(shown.data(), &value, sizeof value);
  std::memcpy(&value, this_block().meet(mask, shown, where)[from % lanes].data(), sizeof value);
  return value;
}

// First lane of this lane's group of `width` lanes.
inline unsigned group_of(int width) {
  return this_block().lane() / static_cast<unsigned>(width) * static_cast<unsigned>(width);
}

// `other` where it is in the group, else this lane.
inline unsigned in_group(unsigned other, int width) {
  const unsigned group = group_of(width);
  return other >= group && other < group + static_cast<unsigned>(width) ? other
                                                                        : this_block().lane();
}

}  // namespace nbody::on_cpu

#define ON_CPU_HERE const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()

inline void __syncthreads(ON_CPU_HERE) { nbody::on_cpu::this_block().wait_for_all(where); }
inline void __syncwarp(unsigned mask = 0xffffffff, ON_CPU_HERE) {
  nbody::on_cpu::this_block().meet(mask, {}, where);
}

template <typename T>
T __shfl_sync(unsigned mask, T value, int from, int width = 32, ON_CPU_HERE) {
  const unsigned lane = static_cast<unsigned>(from) % static_cast<unsigned>(width);
  return nbody::on_cpu::value_from(mask, value, nbody::on_cpu::group_of(width) + lane, where);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32, ON_CPU_HERE) {
  const unsigned from = nbody::on_cpu::this_block().lane() - by;  // below 0: a large number
  return nbody::on_cpu::value_from(mask, value, nbody::on_cpu::in_group(from, width), where);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32, ON_CPU_HERE) {
  const unsigned from = nbody::on_cpu::this_block().lane() + by;
  return nbody::on_cpu::value_from(mask, value, nbody::on_cpu::in_group(from, width), where);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, ON_CPU_HERE) {
  const unsigned from = nbody::on_cpu::this_block().lane() ^ static_cast<unsigned>(bits);
  // CUDA lets a lane see those of lower groups, not of higher ones.
  const unsigned end = nbody::on_cpu::group_of(width) + static_cast<unsigned>(width);
  return nbody::on_cpu::value_from(mask, value,
                                   from < end ? from : nbody::on_cpu::this_block().lane(), where);
}

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
