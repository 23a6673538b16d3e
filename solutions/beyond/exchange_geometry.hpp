#pragma once

#include <array>
#include <cstddef>

namespace nbody {

// A block has `own` bodies, I of them in each thread, and a copy of all others, `per_thread` of
// them in each thread.
struct ExchangeShape {
  unsigned own, I, threads, per_thread;

  // No block without bodies: the others would not wait for it.
  constexpr unsigned blocks(std::size_t n) const {
    return static_cast<unsigned>((n + own - 1) / own);
  }
  constexpr std::size_t slots(std::size_t n) const { return std::size_t{blocks(n)} * own; }
  // For two iterations.
  constexpr std::size_t messages(std::size_t n) const { return 2 * slots(n); }
  // Positions and masses of all bodies, in full turns of the groups of threads that share them.
  constexpr std::size_t shared_bytes(std::size_t n) const {
    const std::size_t groups = threads / (own / I);
    return (slots(n) + groups - 1) / groups * groups * 4 * sizeof(float);
  }
  // All blocks must run at once, one on each multiprocessor.
  constexpr bool suits(std::size_t n, std::size_t multiprocessors, std::size_t most_shared) const {
    return blocks(n) <= multiprocessors && n <= std::size_t{threads} * per_thread &&
           shared_bytes(n) + 16 * threads < most_shared;
  }
};

// The fewer bodies a block has, the sooner it finishes; fastest shapes first.
constexpr std::array exchange_shapes = {ExchangeShape{4, 1, 512, 1}, ExchangeShape{8, 1, 1024, 1},
                                        ExchangeShape{16, 2, 512, 4}, ExchangeShape{32, 2, 512, 8}};

}  // namespace nbody
