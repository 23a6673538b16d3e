#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "work/counts.hpp"

// Functions that take a number have their own namespace and are found through their argument.
// Directly in nbody they would hide ::sqrt(double) from the counted code.
namespace nbody::counting {

using work::Counts;

// What the compiler computes is not the program's work.
constexpr void count(Counts::Kind kind, std::uint64_t times = 1) {
  if (!std::is_constant_evaluated() && work::is_counted()) work::work_so_far.of[kind] += times;
}
// The result of one operation.
constexpr double counted(Counts::Kind kind, double result) {
  count(kind);
  return result;
}

// A number that counts its operations. Plain numbers convert to it; it converts to nothing, so that
// code that leaves `real` does not compile.
//
// It only computes in double: the counts are the same as for float, and the result can be checked
// to more digits. Its bits are stored inverted: code that bypasses it by memcpy or reinterpret_cast
// compiles, but reads nonsense, which the check of the result notices.
class Counting {
 public:
  constexpr Counting() : Counting(0.0) {}
  template <typename Plain, std::enable_if_t<std::is_arithmetic_v<Plain>, int> = 0>
  constexpr Counting(Plain value)
      : inverted_(~std::bit_cast<std::uint64_t>(static_cast<double>(value))) {
    stored();
  }
  constexpr Counting(const Counting& other) : inverted_(other.inverted_) {
    other.loaded();
    stored();
  }
  // By value, here and below: in a = b = c the source does not load b again.
  constexpr Counting operator=(const Counting& other) {
    const double value = other.taken();
    inverted_ = other.inverted_;
    stored();
    return value;
  }

  // The value, for the operators below; counted as a load if it lies in memory.
  constexpr double taken() const {
    loaded();
    return std::bit_cast<double>(~inverted_);
  }

  friend constexpr Counting operator+(const Counting& a, const Counting& b) {
    return counted(Counts::add, a.taken() + b.taken());
  }
  friend constexpr Counting operator-(const Counting& a, const Counting& b) {
    return counted(Counts::add, a.taken() - b.taken());
  }
  friend constexpr Counting operator*(const Counting& a, const Counting& b) {
    return counted(Counts::mul, a.taken() * b.taken());
  }
  friend constexpr Counting operator/(const Counting& a, const Counting& b) {
    return counted(Counts::div, a.taken() / b.taken());
  }
  friend constexpr Counting operator-(const Counting& x) { return -x.taken(); }
  friend constexpr bool operator==(const Counting& a, const Counting& b) {
    return a.taken() == b.taken();
  }
  friend constexpr std::partial_ordering operator<=>(const Counting& a, const Counting& b) {
    return a.taken() <=> b.taken();
  }

  constexpr Counting operator+=(const Counting& other) { return *this = *this + other; }
  constexpr Counting operator-=(const Counting& other) { return *this = *this - other; }
  constexpr Counting operator*=(const Counting& other) { return *this = *this * other; }
  constexpr Counting operator/=(const Counting& other) { return *this = *this / other; }

 private:
  constexpr void loaded() const {
    if (!std::is_constant_evaluated()) work::count_access(this, Counts::loads);
  }
  constexpr void stored() {
    if (!std::is_constant_evaluated()) work::count_access(this, Counts::stores);
  }

  std::uint64_t inverted_;
};

inline Counting sqrt(const Counting& x) { return counted(Counts::sqrt, std::sqrt(x.taken())); }
inline Counting rsqrt(const Counting& x) {
  return counted(Counts::rsqrt, 1 / std::sqrt(x.taken()));
}
inline Counting fma(const Counting& a, const Counting& b, const Counting& c) {
  return counted(Counts::fma, std::fma(a.taken(), b.taken(), c.taken()));
}
// A square as the compiler computes that of plain numbers: naive would spend half its time here.
inline Counting pow(const Counting& x, const Counting& y) {
  const double base = x.taken(), exponent = y.taken();
  return counted(Counts::pow, exponent == 2 ? base * base : std::pow(base, exponent));
}

// Counted as the formula that it stands for.
inline Counting hypot(const Counting& x, const Counting& y, const Counting& z) {
  count(Counts::mul, 3);
  count(Counts::add, 2);
  return counted(Counts::sqrt, std::hypot(x.taken(), y.taken(), z.taken()));
}

// By value, so that an argument in memory is loaded once and not again when the result is used.
constexpr Counting min(const Counting& a, const Counting& b) {
  const double x = a.taken(), y = b.taken();
  return y < x ? y : x;
}
constexpr Counting max(const Counting& a, const Counting& b) {
  const double x = a.taken(), y = b.taken();
  return x < y ? y : x;
}
inline Counting fmin(const Counting& a, const Counting& b) {
  return std::fmin(a.taken(), b.taken());
}
inline Counting fmax(const Counting& a, const Counting& b) {
  return std::fmax(a.taken(), b.taken());
}
inline Counting abs(const Counting& x) { return std::abs(x.taken()); }
inline Counting fabs(const Counting& x) { return std::abs(x.taken()); }

// Of the contract (simulator/contract.hpp); counted functions that call it bypass the counting.
inline double as_double(const Counting& x) { return counted(Counts::escapes, x.taken()); }

}  // namespace nbody::counting

namespace nbody {
using counting::Counting;
}

// Students write std::sqrt(x), and a qualified name is not looked up through its argument. The
// standard forbids functions of our own in std; compilers and libraries allow them.
namespace std {
using nbody::counting::abs;
using nbody::counting::fabs;
using nbody::counting::fma;
using nbody::counting::fmax;
using nbody::counting::fmin;
using nbody::counting::hypot;
using nbody::counting::max;
using nbody::counting::min;
using nbody::counting::pow;
using nbody::counting::sqrt;

// Those of float, so that code that asks for digits takes the path for float.
template <>
struct numeric_limits<nbody::Counting> : numeric_limits<float> {
  using Plain = numeric_limits<float>;
  static constexpr nbody::Counting min() { return Plain::min(); }
  static constexpr nbody::Counting max() { return Plain::max(); }
  static constexpr nbody::Counting lowest() { return Plain::lowest(); }
  static constexpr nbody::Counting epsilon() { return Plain::epsilon(); }
  static constexpr nbody::Counting infinity() { return Plain::infinity(); }
  static constexpr nbody::Counting quiet_NaN() { return Plain::quiet_NaN(); }
};
}  // namespace std
