#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "work/counts.hpp"

// The counting number (work/counting_number.hpp) for kernels: operations on the GPU are added to
// counts in its memory; operations on the host are not counted. It only computes in double.
namespace nbody::device_counting {

using work::Counts;

// One source file, one program: these are the only counters.
static __device__ Counts device_work;

__host__ __device__ inline void count([[maybe_unused]] Counts::Tally Counts::*kind,
                                      [[maybe_unused]] Counts::Tally times = 1) {
#ifdef __CUDA_ARCH__
  atomicAdd(&(device_work.*kind), times);
#endif
}

class DeviceCounting {
 public:
  // Trivial, as arrays in shared memory require.
  DeviceCounting() = default;
  template <typename Plain, std::enable_if_t<std::is_arithmetic_v<Plain>, int> = 0>
  __host__ __device__ DeviceCounting(Plain value) : value_(static_cast<double>(value)) {
    stored();
  }
  __host__ __device__ DeviceCounting(const DeviceCounting& other) : value_(other.taken()) {
    stored();
  }
  // By value, here and below: in a = b = c the source does not load b again.
  __host__ __device__ DeviceCounting operator=(const DeviceCounting& other) {
    const double value = other.taken();
    value_ = value;
    stored();
    return value;
  }

  // The value, for the operators below; counted as a load if it lies in memory.
  __host__ __device__ double taken() const {
#ifdef __CUDA_ARCH__
    if (__isGlobal(this)) count(&Counts::loads);
    if (__isShared(this)) count(&Counts::shared_loads);
#endif
    return value_;
  }

 private:
  __host__ __device__ void stored() const {
#ifdef __CUDA_ARCH__
    if (__isGlobal(this)) count(&Counts::stores);
    if (__isShared(this)) count(&Counts::shared_stores);
#endif
  }

  double value_;
};

using Number = DeviceCounting;
using In = const DeviceCounting&;

__host__ __device__ inline Number operator+(In a, In b) {
  count(&Counts::add);
  return a.taken() + b.taken();
}
__host__ __device__ inline Number operator-(In a, In b) {
  count(&Counts::add);
  return a.taken() - b.taken();
}
__host__ __device__ inline Number operator*(In a, In b) {
  count(&Counts::mul);
  return a.taken() * b.taken();
}
__host__ __device__ inline Number operator/(In a, In b) {
  count(&Counts::div);
  return a.taken() / b.taken();
}
__host__ __device__ inline Number operator-(In x) { return -x.taken(); }
__host__ __device__ inline bool operator==(In a, In b) { return a.taken() == b.taken(); }
__host__ __device__ inline bool operator<(In a, In b) { return a.taken() < b.taken(); }
__host__ __device__ inline bool operator>(In a, In b) { return a.taken() > b.taken(); }
__host__ __device__ inline bool operator<=(In a, In b) { return a.taken() <= b.taken(); }
__host__ __device__ inline bool operator>=(In a, In b) { return a.taken() >= b.taken(); }
__host__ __device__ inline Number operator+=(Number& a, In b) { return a = a + b; }
__host__ __device__ inline Number operator-=(Number& a, In b) { return a = a - b; }
__host__ __device__ inline Number operator*=(Number& a, In b) { return a = a * b; }
__host__ __device__ inline Number operator/=(Number& a, In b) { return a = a / b; }

__host__ __device__ inline Number sqrt(In x) {
  count(&Counts::sqrt);
  return ::sqrt(x.taken());
}
__host__ __device__ inline Number rsqrt(In x) {
  count(&Counts::rsqrt);
  return 1 / ::sqrt(x.taken());
}
__host__ __device__ inline Number fma(In a, In b, In c) {
  count(&Counts::fma);
  return ::fma(a.taken(), b.taken(), c.taken());
}
__host__ __device__ inline Number pow(In x, In y) {
  count(&Counts::pow);
  return ::pow(x.taken(), y.taken());
}
__host__ __device__ inline Number min(In a, In b) {
  const double x = a.taken(), y = b.taken();
  return y < x ? y : x;
}
__host__ __device__ inline Number max(In a, In b) {
  const double x = a.taken(), y = b.taken();
  return x < y ? y : x;
}
__host__ __device__ inline Number fmin(In a, In b) { return min(a, b); }
__host__ __device__ inline Number fmax(In a, In b) { return max(a, b); }

// From register to register: no memory, no flop. Found by argument-dependent lookup.
__device__ inline Number __shfl_sync(unsigned lanes, In x, int from, int width = 32) {
  return ::__shfl_sync(lanes, x.taken(), from, width);
}
__device__ inline Number __shfl_down_sync(unsigned lanes, In x, unsigned by, int width = 32) {
  return ::__shfl_down_sync(lanes, x.taken(), by, width);
}
__device__ inline Number __shfl_xor_sync(unsigned lanes, In x, int mask, int width = 32) {
  return ::__shfl_xor_sync(lanes, x.taken(), mask, width);
}
__device__ inline Number atomicAdd(Number* sum, In x) {
  count(&Counts::add);
  count(__isShared(sum) ? &Counts::shared_loads : &Counts::loads);
  count(__isShared(sum) ? &Counts::shared_stores : &Counts::stores);
  return ::atomicAdd(reinterpret_cast<double*>(sum), x.taken());
}

// Part of the contract (simulator/contract.hpp); on the host, so not counted.
inline double as_double(In x) { return x.taken(); }

}  // namespace nbody::device_counting

namespace nbody {
using device_counting::DeviceCounting;
}

// Qualified names are not looked up through their argument. The standard forbids functions of our
// own in std; compilers and libraries allow them.
namespace std {
using nbody::device_counting::fma;
using nbody::device_counting::pow;
using nbody::device_counting::sqrt;

template <>
struct numeric_limits<nbody::DeviceCounting> : numeric_limits<double> {
  using Plain = numeric_limits<double>;
  static nbody::DeviceCounting infinity() { return Plain::infinity(); }
  static nbody::DeviceCounting max() { return Plain::max(); }
  static nbody::DeviceCounting min() { return Plain::min(); }
  static nbody::DeviceCounting epsilon() { return Plain::epsilon(); }
};
}  // namespace std
