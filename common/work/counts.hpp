#pragma once

#include <cstdint>

namespace nbody::work {

// Work by class. A flop is one floating-point operation of the source code; a load or store is one
// number that the source takes from or puts into memory. Comparisons, signs, conversions and
// integers are free.
struct Counts {
  std::uint64_t add = 0;  // and subtract
  std::uint64_t mul = 0;
  std::uint64_t div = 0;
  std::uint64_t sqrt = 0;
  std::uint64_t rsqrt = 0;
  std::uint64_t fma = 0;
  std::uint64_t pow = 0;  // and other functions of the mathematics library: cbrt, exp, log
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t shared_loads =
      0;  // of a GPU's shared memory; `loads` and `stores` are of its global memory
  std::uint64_t shared_stores = 0;
  std::uint64_t escapes = 0;  // numbers that left the counting through as_double()
  bool operator==(const Counts&) const = default;
};

inline std::uint64_t flops(const Counts& counts) {
  return counts.add + counts.mul + counts.div + counts.sqrt + counts.rsqrt + 2 * counts.fma +
         counts.pow;
}

inline Counts operator+(const Counts& a, const Counts& b) {
  return {a.add + b.add,
          a.mul + b.mul,
          a.div + b.div,
          a.sqrt + b.sqrt,
          a.rsqrt + b.rsqrt,
          a.fma + b.fma,
          a.pow + b.pow,
          a.loads + b.loads,
          a.stores + b.stores,
          a.shared_loads + b.shared_loads,
          a.shared_stores + b.shared_stores,
          a.escapes + b.escapes};
}

// Counts so far, of one thread: a count program starts no other.
inline Counts work_so_far;

// The heap, where numbers are in memory; all others are in registers. Empty until arena.cpp is part
// of the program.
struct AddressRange {
  std::uintptr_t first = 0;
  std::uintptr_t size = 0;
  bool contains(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - first < size;
  }
};
inline AddressRange heap;

}  // namespace nbody::work
