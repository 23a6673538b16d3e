#pragma once

#include <cstring>
#include <source_location>
#include <type_traits>

#include "cuda/on_cpu/block.hpp"

// Barriers, and functions of the 32 lanes of a warp. Each knows the line that calls it, for its
// messages.
namespace nbody::on_cpu {

using Place = std::source_location;

template <typename T>
LaneValue shown_as(const T& value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(LaneValue));
  LaneValue shown{};
  std::memcpy(shown.data(), &value, sizeof value);
  return shown;
}

// The value that lane `from` shows, of the type of `value`.
template <typename T>
T value_from(unsigned mask, T value, unsigned from, const Place& where) {
  const LaneValues& all = this_block().meet(mask, shown_as(value), where);
  std::memcpy(&value, all[from % lanes].data(), sizeof value);
  return value;
}

// First lane of this lane's group of `width` lanes.
inline unsigned group_of(int width) {
  return this_block().lane() / static_cast<unsigned>(width) * static_cast<unsigned>(width);
}

template <typename T, typename Add>
T over_lanes(unsigned mask, T value, const Add& add, const Place& where) {
  const LaneValues& all = this_block().meet(mask, shown_as(value), where);
  const unsigned there = mask & this_block().lanes_that_run();
  bool first = true;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((there >> lane & 1) == 0) continue;
    T one;
    std::memcpy(&one, all[lane].data(), sizeof one);
    value = first ? one : add(value, one);
    first = false;
  }
  return value;
}

}  // namespace nbody::on_cpu

inline void __syncthreads(const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  nbody::on_cpu::this_block().wait_for_all(0, where);
}
inline int __syncthreads_count(
    int condition, const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  return nbody::on_cpu::this_block().wait_for_all(condition != 0, where);
}
inline int __syncthreads_or(int condition,
                            const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  return __syncthreads_count(condition, where) > 0;
}
inline int __syncthreads_and(int condition,
                             const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  return __syncthreads_count(condition == 0, where) == 0;
}
inline void __syncwarp(unsigned mask = 0xffffffff,
                       const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  nbody::on_cpu::this_block().meet(mask, {}, where);
}

template <typename T>
T __shfl_sync(unsigned mask, T value, int from, int width = 32,
              const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  const unsigned in_group = static_cast<unsigned>(from) % static_cast<unsigned>(width);
  return nbody::on_cpu::value_from(mask, value, nbody::on_cpu::group_of(width) + in_group, where);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32,
                 const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  const unsigned lane = nbody::on_cpu::this_block().lane();
  const bool is_there = lane >= nbody::on_cpu::group_of(width) + by;
  return nbody::on_cpu::value_from(mask, value, is_there ? lane - by : lane, where);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32,
                   const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  const unsigned lane = nbody::on_cpu::this_block().lane();
  const unsigned end = nbody::on_cpu::group_of(width) + static_cast<unsigned>(width);
  return nbody::on_cpu::value_from(mask, value, lane + by < end ? lane + by : lane, where);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32,
                  const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  const unsigned lane = nbody::on_cpu::this_block().lane();
  const unsigned other = lane ^ static_cast<unsigned>(bits);
  const unsigned end = nbody::on_cpu::group_of(width) + static_cast<unsigned>(width);
  return nbody::on_cpu::value_from(mask, value, other < end ? other : lane, where);
}

inline unsigned __activemask() { return nbody::on_cpu::this_block().lanes_that_run(); }
inline unsigned __ballot_sync(unsigned mask, int condition,
                              const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  const unsigned own = condition != 0 ? 1u << nbody::on_cpu::this_block().lane() : 0;
  return nbody::on_cpu::over_lanes(
      mask, own, [](unsigned a, unsigned b) { return a | b; }, where);
}
inline int __any_sync(unsigned mask, int condition,
                      const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  return __ballot_sync(mask, condition, where) != 0;
}
inline int __all_sync(unsigned mask, int condition,
                      const nbody::on_cpu::Place& where = nbody::on_cpu::Place::current()) {
  return __ballot_sync(mask, condition == 0, where) == 0;
}
