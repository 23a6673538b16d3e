#pragma once

#include <cmath>
#include <concepts>

namespace nbody::machine {

// Operations to be measured, on a number or a vector. Each keeps a value at about its size with all
// bits in use, since some processors divide faster by a simple number. `start`, `x` and `y` are its
// inputs, unknown to the compiler.
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
// What a set has no instruction for is no function of V. The result type matters: clang would take
// two doubles for four floats. The value is the addend: NEON has no instruction that overwrites a
// factor.
template <typename Set>
struct Fma : Sum {
  template <typename V>
  V operator()(V value, V x, V y) const requires requires {
    { Set::fma(x, y, value) } -> std::same_as<V>;
  }
  { return Set::fma(x, y, value); }
};
struct Div : Quotient {
  template <typename V>
  V operator()(V value, V x, V) const {
    return x / value;
  }
};
// Repeated roots converge to 1, whose root may be cheaper: so something is added to each.
template <typename Set>
struct Sqrt : Root {
  template <typename V>
  V operator()(V value, V x, V) const {
    return Set::root(value) + x;
  }
};
template <typename Set>
struct Estimate : Root {  // by a table, for any number
  template <typename V>
  V operator()(V value, V, V) const requires requires {
    { Set::estimate(value) } -> std::same_as<V>;
  }
  { return Set::estimate(value); }
};
template <typename Operation, typename V>
concept Exists = requires(V v) {
  Operation()(v, v, v);
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

}  // namespace nbody::machine
