#pragma once

#include <math.h>

#include <atomic>
#include <bit>
#include <type_traits>

#include "cuda/on_cpu/sanitizers.hpp"

// Functions of kernels that C++ lacks. Roots and quotients are the CPU's, correct to the last bit:
// only a GPU shows what its estimates lose.
#define ON_CPU_FUNCTION(Result, name, parameters, value) \
  inline Result name parameters { return value; }
ON_CPU_FUNCTION(float, rsqrt, (float x), 1 / sqrtf(x))
ON_CPU_FUNCTION(double, rsqrt, (double x), 1 / ::sqrt(x))
ON_CPU_FUNCTION(float, rsqrtf, (float x), rsqrt(x))
ON_CPU_FUNCTION(float, __frsqrt_rn, (float x), rsqrt(x))
ON_CPU_FUNCTION(float, __fsqrt_rn, (float x), sqrtf(x))
ON_CPU_FUNCTION(float, __fdividef, (float a, float b), a / b)
ON_CPU_FUNCTION(float, __frcp_rn, (float x), 1 / x)
ON_CPU_FUNCTION(float, __fmaf_rn, (float a, float b, float c), fmaf(a, b, c))
ON_CPU_FUNCTION(double, __fma_rn, (double a, double b, double c), fma(a, b, c))
ON_CPU_FUNCTION(unsigned, __float_as_uint, (float x), std::bit_cast<unsigned>(x))
ON_CPU_FUNCTION(float, __uint_as_float, (unsigned x), std::bit_cast<float>(x))
ON_CPU_FUNCTION(long long, __double_as_longlong, (double x), std::bit_cast<long long>(x))
ON_CPU_FUNCTION(double, __longlong_as_double, (long long x), std::bit_cast<double>(x))
ON_CPU_FUNCTION(long long, __float2ll_rn, (float x), llrintf(x))
ON_CPU_FUNCTION(int, __popc, (unsigned x), std::popcount(x))
ON_CPU_FUNCTION(int, __clz, (int x), std::countl_zero(static_cast<unsigned>(x)))
ON_CPU_FUNCTION(int, __ffs, (int x), __builtin_ffs(x))
template <typename T>
ON_CPU_FUNCTION(T, __ldg, (const T* address), *address)
template <typename T>
ON_CPU_FUNCTION(T, __ldcg, (const T* address), *address)

template <typename A, typename B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  const std::common_type_t<A, B> x = a, y = b;
  return y < x ? y : x;
}
template <typename A, typename B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  const std::common_type_t<A, B> x = a, y = b;
  return x < y ? y : x;
}

// Who passes it has seen what was written before others passed it.
inline void __threadfence() {
  static long passed = 0;
  nbody::on_cpu::give(&passed);
  nbody::on_cpu::take(&passed);
}
inline void __threadfence_block() {}

// Atomic, or the thread sanitizer would report a race.
#define ON_CPU_ATOMIC(name, value)                                                \
  template <typename T>                                                           \
  T name(T* place, std::type_identity_t<T> x) {                                   \
    const std::atomic_ref<T> shown(*place);                                       \
    T old = shown.load(std::memory_order_relaxed);                                \
    shown.store(value, std::memory_order_relaxed); /* no thread runs meanwhile */ \
    return old;                                                                   \
  }
ON_CPU_ATOMIC(atomicAdd, old + x)
ON_CPU_ATOMIC(atomicExch, x)
ON_CPU_ATOMIC(atomicMin, x < old ? x : old)
ON_CPU_ATOMIC(atomicMax, old < x ? x : old)
template <typename T>
T atomicCAS(T* place, std::type_identity_t<T> expected, std::type_identity_t<T> x) {
  std::atomic_ref<T>(*place).compare_exchange_strong(expected, x, std::memory_order_relaxed);
  return expected;
}
#undef ON_CPU_ATOMIC
#undef ON_CPU_FUNCTION
