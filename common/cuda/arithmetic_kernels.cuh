#pragma once

#include <cuda_runtime.h>

// Kernels that do one operation over and over and nothing else, to measure how often per second a
// GPU can do it.
namespace nbody {

constexpr unsigned ceiling_block = 256;
constexpr unsigned lanes = 32;  // of a warp

// Independent chains of a thread; none waits for another.
constexpr int chains = 8;

namespace operation {

// Each keeps numbers at about their size. The compiler does not know `x` and `y`. `in_a_row`:
// operations of a chain in the loop body; so many that the loop itself costs next to nothing, and
// few enough for the instruction cache.
struct Fma {
  static constexpr int in_a_row = 64;
  template <typename T>
  __device__ T operator()(T value, T x, T y) const {
    return fma(value, x, y);
  }
};
// Only the estimate of the special function unit (MUFU): rsqrt() would also scale subnormal numbers
// into range and back.
struct RsqrtEstimate {
  static constexpr int in_a_row = 16;
  __device__ float operator()(float value, float, float) const {
    float result;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
    return result;
  }
};
// These two are many instructions each, with a branch to more for numbers far from 1.
struct Div {
  static constexpr int in_a_row = 2;
  template <typename T>
  __device__ T operator()(T value, T x, T) const {
    return x / value;
  }
};
struct Sqrt {
  static constexpr int in_a_row = 2;
  template <typename T>
  __device__ T operator()(T value, T, T) const {
    return sqrt(value);
  }
};

}  // namespace operation

// Operations of a thread per iteration of the loop below.
template <typename Operation>
constexpr int operations_of_a_turn = Operation::in_a_row* chains;

// Lanes compute slightly different values: compilers for the newest GPUs turn identical ones into
// one operation per warp. Every thread writes its result, so that nothing can be optimised away.
constexpr float between_lanes = 1e-7f;

template <typename Operation, typename T>
__global__ void __launch_bounds__(ceiling_block)
    repeat_operation(unsigned turns, T first_x, T first_y, T* results) {
  const Operation operation;
  const T lane = threadIdx.x % lanes;
  const T x = fma(lane, T(between_lanes), first_x), y = fma(lane, T(between_lanes), first_y);
  T values[chains];
#pragma unroll
  for (int k = 0; k < chains; ++k) values[k] = fma(T(k), y, x);
#pragma unroll 1
  for (unsigned turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < Operation::in_a_row; ++i) {
#pragma unroll
      for (int k = 0; k < chains; ++k) values[k] = operation(values[k], x, y);
    }
  }
  T sum = 0;
#pragma unroll
  for (int k = 0; k < chains; ++k) sum += values[k];
  results[blockIdx.x * ceiling_block + threadIdx.x] = sum;
}

}  // namespace nbody
