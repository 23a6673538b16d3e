#pragma once

#include <math.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <type_traits>

#include "cuda/on_cpu/sanitizers.hpp"

// Functions of kernels that C++ lacks. Roots and quotients are the CPU's, correct to the last bit:
// only a GPU shows what its estimates lose.

inline float rsqrt(float x) { return 1 / sqrtf(x); }
inline double rsqrt(double x) { return 1 / ::sqrt(x); }
inline float rsqrtf(float x) { return rsqrt(x); }
inline float __frsqrt_rn(float x) { return rsqrt(x); }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __frcp_rn(float x) { return 1 / x; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

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

inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline long long __float2ll_rn(float x) { return llrintf(x); }
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }

template <typename T>
T __ldg(const T* address) {
  return *address;
}
template <typename T>
T __ldcg(const T* address) {
  return *address;
}

inline void __threadfence() { nbody::on_cpu::fence(); }
inline void __threadfence_block() {}
inline long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

// Atomic, or the thread sanitizer would report a race.
template <typename T>
T atomicAdd(T* sum, std::type_identity_t<T> x) {
  return std::atomic_ref<T>(*sum).fetch_add(x, std::memory_order_relaxed);
}
template <typename T>
T atomicExch(T* place, std::type_identity_t<T> x) {
  return std::atomic_ref<T>(*place).exchange(x, std::memory_order_relaxed);
}
template <typename T>
T atomicCAS(T* place, std::type_identity_t<T> expected, std::type_identity_t<T> x) {
  std::atomic_ref<T>(*place).compare_exchange_strong(expected, x, std::memory_order_relaxed);
  return expected;
}
template <typename T>
T atomicMin(T* place, std::type_identity_t<T> x) {
  const T old = std::atomic_ref<T>(*place).load(std::memory_order_relaxed);
  if (x < old) std::atomic_ref<T>(*place).store(x, std::memory_order_relaxed);
  return old;
}
template <typename T>
T atomicMax(T* place, std::type_identity_t<T> x) {
  const T old = std::atomic_ref<T>(*place).load(std::memory_order_relaxed);
  if (old < x) std::atomic_ref<T>(*place).store(x, std::memory_order_relaxed);
  return old;
}
