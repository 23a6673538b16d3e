#pragma once

#include <cstdint>

namespace nbody::work {

// Work by class. A flop is one floating-point operation of the source code; a load or store is one
// number that the source takes from or puts into memory. Comparisons, signs, conversions and
// integers are free.
struct Counts {
  using Tally = std::uint64_t;

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

// This thread's counts so far.
inline constinit thread_local Counts work_so_far;

// What lies on the stack of its thread, or of the first one, where the simulator is, is in
// registers, everything else in memory.
struct Stack {
  std::uintptr_t low = 0, size = 0;  // nothing until the thread's first access
  bool holds(const void* number) const {
    return reinterpret_cast<std::uintptr_t>(number) - low < size;
  }
};
inline constinit thread_local Stack stack;

enum class Access { load, store };
// Of a number that is not on the stack, as far as is known.
void count_access(const void* number, Access access);

// The counts of all threads, those that have ended too; and all of them 0 again.
Counts take_counts();

// Kernels that run on the CPU (work/counting_kernels.hpp) have stacks and memory of their own, and
// what the host does beside them, on the thread's stack, is not counted.
enum class Memory { registers, main, shared };
inline Memory (*memory_of_kernel)(const void*) = nullptr;
inline Stack host_stack;
inline bool is_counted() {
  return memory_of_kernel == nullptr || !host_stack.holds(__builtin_frame_address(0));
}

}  // namespace nbody::work
