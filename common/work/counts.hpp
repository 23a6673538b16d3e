#pragma once

#include <array>
#include <cstdint>

namespace nbody::work {

// Work by class. A flop is one floating-point operation of the source code; a load or store is one
// number that the source takes from or puts into memory. Comparisons, signs, conversions and
// integers are free.
struct Counts {
  enum Kind {
    add,  // and subtract
    mul,
    div,
    sqrt,
    rsqrt,
    fma,
    pow,
    loads,
    stores,
    // Of a GPU's shared memory, which tiles trade for the global one; the others are of that.
    shared_loads,
    shared_stores,
    escapes,  // numbers that left the counting through as_double()
    kinds
  };
  static constexpr const char* names[] = {"add",    "mul",          "div",           "sqrt",
                                          "rsqrt",  "fma",          "pow",           "loads",
                                          "stores", "shared_loads", "shared_stores", "escapes"};
  std::array<std::uint64_t, kinds> of = {};
};

// This thread's counts so far.
inline constinit thread_local Counts work_so_far;

// What lies on the stack of its thread, or of the first one, where the simulator is, is in
// registers, everything else in memory, but for constants, which are parts of instructions.
struct Range {
  std::uintptr_t low = 0, size = 0;
  bool holds(const void* number) const {
    return reinterpret_cast<std::uintptr_t>(number) - low < size;
  }
};
inline constinit thread_local Range stack;  // empty until the thread's first access
inline Range host_stack;                    // of the first thread

void count_elsewhere(const void* number, Counts::Kind access);
inline void count_access(const void* number, Counts::Kind access) {
  if (!stack.holds(number)) count_elsewhere(number, access);
}

// The counts of all threads, those that have ended too; and all of them 0 again.
Counts take_counts();

// Kernels that run on the CPU (work/counting_kernels.hpp) have stacks and memory of their own, and
// what the host does beside them, on the thread's stack, is not counted.
enum class Memory { registers, main, shared };
inline Memory (*memory_of_kernel)(const void*) = nullptr;
inline bool is_counted() {
  return memory_of_kernel == nullptr || !host_stack.holds(__builtin_frame_address(0));
}

}  // namespace nbody::work
