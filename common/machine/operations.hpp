#pragma once

#include <cmath>
#include <concepts>

namespace nbody {

// Operations to be measured, on a number or on a vector of them. Each leaves a value of about its
// own size with all its bits in use, since some processors divide sooner by a simple number.
// `start`, `x` and `y` are what it begins with; the compiler does not get to know them.
struct Sum {
  static constexpr double start = 1.2345678901, x = 1e-5, y = 1;
};
struct Quotient {
  static constexpr double start = 1.2345678901, x = 1.7654321098, y = 1;
};
struct Root {
  static constexpr double start = 1.2345678901, x = 0.3456789012, y = 1;
};
struct Power {
  static constexpr double start = 0.3456789012, x = 0.2345678901, y = 2;
};

struct Add : Sum {
  template <typename V>
  V operator()(V value, V x, V) const {
    return value + x;
  }
};
struct Mul : Sum {
  template <typename V>
  V operator()(V value, V, V y) const {
    return value * y;
  }
};
// The value is what is added to: NEON has no instruction that overwrites a factor.
template <typename Set>
struct Fma : Sum {
  template <typename V>
  V operator()(V value, V x, V y) const {
    return Set::fma(x, y, value);
  }
};
struct Div : Quotient {
  template <typename V>
  V operator()(V value, V x, V) const {
    return x / value;
  }
};
// A root of a root of a root is 1, whose root may be cheaper: so something is added to each.
template <typename Set>
struct Sqrt : Root {
  template <typename V>
  V operator()(V value, V x, V) const {
    return Set::root(value) + x;
  }
};
template <typename Set>
struct Estimate : Root {  // by a table, whatever the number
  template <typename V>
  V operator()(V value, V, V) const {
    return Set::estimate(value);
  }
};
// Has the set such an instruction? Clang would take two doubles for four floats, so that it matters
// what comes out.
template <typename Set, typename V>
constexpr bool has_fma = requires(V v) {
  { Set::fma(v, v, v) } -> std::same_as<V>;
};
template <typename Set, typename V>
constexpr bool has_estimate = requires(V v) {
  { Set::estimate(v) } -> std::same_as<V>;
};

struct Rsqrt : Root {
  template <typename T>
  T operator()(T value, T x, T) const {
    return T(1) / std::sqrt(value) + x;
  }
};
struct Pow : Power {
  template <typename T>
  T operator()(T value, T x, T y) const {
    return std::pow(value, y) + x;
  }
};

}  // namespace nbody
