#pragma once

#include <cstdint>

namespace nbody::work {

// Work by class. A flop is one floating-point operation of the source code; a load or store is one
// number that the source takes from or puts into memory. Comparisons, signs, conversions and
// integers are free.
struct Counts {
  using Tally = unsigned long long;  // what atomicAdd() of a GPU takes

  Tally add = 0;  // and subtract
  Tally mul = 0;
  Tally div = 0;
  Tally sqrt = 0;
  Tally rsqrt = 0;
  Tally fma = 0;
  Tally pow = 0;  // and other functions of the mathematics library: cbrt, exp, log
  Tally loads = 0;
  Tally stores = 0;
  // Of a GPU's shared memory, which tiles trade for the global one; the others are of that.
  Tally shared_loads = 0;
  Tally shared_stores = 0;
  Tally escapes = 0;  // numbers that left the counting through as_double()
  bool operator==(const Counts&) const = default;
};

inline Counts::Tally flops(const Counts& counts) {
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
