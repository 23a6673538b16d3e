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
};

// Their names, in JSON too.
struct Class {
  const char* name;
  Counts::Tally Counts::*tally;
};
inline constexpr Class classes[] = {{"add", &Counts::add},
                                    {"mul", &Counts::mul},
                                    {"div", &Counts::div},
                                    {"sqrt", &Counts::sqrt},
                                    {"rsqrt", &Counts::rsqrt},
                                    {"fma", &Counts::fma},
                                    {"pow", &Counts::pow},
                                    {"loads", &Counts::loads},
                                    {"stores", &Counts::stores},
                                    {"shared_loads", &Counts::shared_loads},
                                    {"shared_stores", &Counts::shared_stores},
                                    {"escapes", &Counts::escapes}};

enum class Access { load, store };

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
// Both empty until the thread's first access. The stack may lie in what is called memory here.
inline constinit thread_local Range stack, memory;
inline Range host_stack;  // of the first thread

// Of a number that is neither in `stack` nor in `memory`, as far as is known.
void count_elsewhere(const void* number, Access access);
inline void count_access(const void* number, Access access) {
  if (stack.holds(number)) return;
  if (!memory.holds(number)) return count_elsewhere(number, access);
  ++(access == Access::load ? work_so_far.loads : work_so_far.stores);
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
