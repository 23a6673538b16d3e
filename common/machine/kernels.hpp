#pragma once

#include "machine/crowd.hpp"
#include "machine/kernel.hpp"
#include "machine/operations.hpp"

// The kernels of an instruction set, which a file like set_avx2.cpp describes by a struct.
namespace nbody::machine {

// A vector of numbers T; g++ and clang++ have + * / for them.
template <typename T, int bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
};

// What a set of vectors of that many bytes derives from.
template <int bytes>
struct VectorSet {
  static constexpr const char *needs_for_fma = "", *needs_for_double_estimate = "";
  template <typename T>
  using Vector = typename VectorOf<T, bytes>::type;
  using Floats = Vector<float>;
  using Doubles = Vector<double>;
};

using Run = void (*)(int);

template <typename Set, typename T>
constexpr Run run_fma() {
  using V = typename Set::template Vector<T>;
  if constexpr (has_fma<Set, V>) {
    return independent<Fma<Set>, Fma<Set>, T, V>;
  } else {
    return nullptr;
  }
}

template <typename Set, typename T>
constexpr Run run_estimate() {
  using V = typename Set::template Vector<T>;
  if constexpr (has_estimate<Set, V>) {
    return independent<Estimate<Set>, Estimate<Set>, T, V>;
  } else {
    return nullptr;
  }
}

// `once(i)` for each i below n, unrolled by eight.
template <typename Once>
inline void go_over(std::size_t n, int times, const Once& once) {
  constexpr std::size_t together = 8;
  for (int time = 0; time < times; ++time) {
    for (std::size_t i = 0; i < n; i += together) {
      for (std::size_t k = 0; k < together; ++k) once(i + k);
    }
  }
}

// Only loads each vector into a register.
template <typename V>
[[gnu::noinline]] void load(char* const* arrays, std::size_t bytes, int times) {
  const V* const from = reinterpret_cast<const V*>(arrays[0]);
  go_over(bytes / sizeof(V), times, [from](std::size_t i) {
    V value = from[i];
    keep(value);
  });
}

// Without keep(), this might become a memcpy, or a loop over wider vectors.
template <typename V>
[[gnu::noinline]] void copy(char* const* arrays, std::size_t bytes, int times) {
  V* const to = reinterpret_cast<V*>(arrays[0]);
  const V* const from = reinterpret_cast<const V*>(arrays[1]);
  go_over(bytes / sizeof(V), times, [to, from](std::size_t i) {
    V value = from[i];
    keep(value);
    to[i] = value;
  });
}

// McCalpin's: a = b + s c.
template <typename V>
[[gnu::noinline]] void triad(char* const* arrays, std::size_t bytes, int times) {
  V* const a = reinterpret_cast<V*>(arrays[0]);
  const V* const b = reinterpret_cast<const V*>(arrays[1]);
  const V* const c = reinterpret_cast<const V*>(arrays[2]);
  V s = V{} + 3;
  keep(s);
  go_over(bytes / sizeof(V), times, [a, b, c, s](std::size_t i) {
    V value = b[i] + s * c[i];
    keep(value);
    a[i] = value;
  });
}

template <typename Set>
constexpr InstructionSet kernels_of() {
  using F = typename Set::template Vector<float>;
  using D = typename Set::template Vector<double>;
  constexpr bool scalar = sizeof(F) == sizeof(float);
  return {
      Set::id,
      Set::name,
      Set::needs,
      sizeof(F) / sizeof(float),
      {{"flops", "mul_add", "", 1, independent<Add, Mul, float, F>},
       {"flops", "fma", Set::needs_for_fma, 2, run_fma<Set, float>()},
       {"unit", "sqrt", "", 1, independent<Sqrt<Set>, Sqrt<Set>, float, F>},
       {"unit", "div", "", 1, independent<Div, Div, float, F>},
       {"unit", "rsqrt", "", 1, run_estimate<Set, float>()}},
      {{"flops", "mul_add", "", 1, independent<Add, Mul, double, D>},
       {"flops", "fma", Set::needs_for_fma, 2, run_fma<Set, double>()},
       {"unit", "sqrt", "", 1, independent<Sqrt<Set>, Sqrt<Set>, double, D>},
       {"unit", "div", "", 1, independent<Div, Div, double, D>},
       {"unit", "rsqrt", Set::needs_for_double_estimate, 1, run_estimate<Set, double>()}},
      {{"load", "", 1, load<F>},
       {"copy", "", 2, copy<F>},
       {"triad", "", 3, triad<F>},
       {"load", "double", 1, scalar ? load<D> : nullptr}},
  };
}

}  // namespace nbody::machine
