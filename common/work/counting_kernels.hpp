#pragma once

#include <cuda_runtime.h>  // the stand-in of common/cuda/on_cpu

#include "cuda/on_cpu/block.hpp"
#include "work/counting_number.hpp"

// The counting number in kernels, which run on the CPU: what their threads do is counted, what the
// host does beside them is not.
namespace nbody::work {

inline const bool counts_kernels = [] {
  memory_of_kernel = [](const void* number) {
    const on_cpu::Block& block = on_cpu::this_block();
    const auto local = block.stack_of_thread();
    stack = {reinterpret_cast<std::uintptr_t>(local.data()), local.size()};
    if (stack.holds(number)) return Memory::registers;
    return block.is_shared(number) ? Memory::shared : Memory::main;
  };
  return true;
}();

}  // namespace nbody::work

namespace nbody::counting {

using on_cpu::Place;

// From register to register: no memory, no flop.
#define SHUFFLE(name, Lane)                                                         \
  inline Counting name(unsigned mask, const Counting& x, Lane lane, int width = 32, \
                       const Place& where = Place::current()) {                     \
    return ::name(mask, x.taken(), lane, width, where);                             \
  }
SHUFFLE(__shfl_sync, int)
SHUFFLE(__shfl_up_sync, unsigned)
SHUFFLE(__shfl_down_sync, unsigned)
SHUFFLE(__shfl_xor_sync, int)
#undef SHUFFLE
// An addition, a load and a store, though no other thread comes between.
inline Counting atomicAdd(Counting* sum, const Counting& x) {
  const Counting before = *sum;
  *sum = before + x;
  return before;
}

}  // namespace nbody::counting

// Zero bytes mean zero, though the bits of a counting number are stored inverted.
template <typename T>
requires(!std::is_arithmetic_v<T>) cudaError_t cudaMemset(T* to, int byte, std::size_t bytes) {
  return cudaMemset(static_cast<void*>(to), ~byte, bytes);
}
