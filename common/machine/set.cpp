#include "machine/crowd.hpp"
#include "machine/instruction_sets.hpp"
#include "machine/kernel.hpp"
#include "machine/operations.hpp"

// The kernels of an instruction set, compiled once for each, with its flags: MEASURED_SET is its
// struct.
namespace nbody::machine {

using Set = MEASURED_SET;
using F = Set::Vector<float>;
using D = Set::Vector<double>;

template <typename First, typename Second, typename T, typename V>
constexpr Arithmetic arithmetic(const char* operation, int flops, bool (*runs_here)() = always) {
  const char* const precision = sizeof(T) == sizeof(float) ? "float" : "double";
  Arithmetic kernel{operation, precision, runs_here, 1.0 * flops * sizeof(V) / sizeof(T), nullptr};
  if constexpr (Exists<First, V>) kernel.run = independent<First, Second, T, V>;
  return kernel;
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

constinit const InstructionSet instruction_set = {
    Set::runs_here,
    {arithmetic<Add, Mul, float, F>("mul_add", 1),
     arithmetic<Fma<Set>, Fma<Set>, float, F>("fma", 2, Set::has_fma),
     arithmetic<Sqrt<Set>, Sqrt<Set>, float, F>("sqrt", 1),
     arithmetic<Div, Div, float, F>("div", 1),
     arithmetic<Estimate<Set>, Estimate<Set>, float, F>("rsqrt", 1),
     arithmetic<Add, Mul, double, D>("mul_add", 1),
     arithmetic<Fma<Set>, Fma<Set>, double, D>("fma", 2, Set::has_fma),
     arithmetic<Sqrt<Set>, Sqrt<Set>, double, D>("sqrt", 1),
     arithmetic<Div, Div, double, D>("div", 1),
     arithmetic<Estimate<Set>, Estimate<Set>, double, D>("rsqrt", 1, Set::has_double_estimate)},
    {{"load", "", 1, load<F>},
     {"copy", "", 2, copy<F>},
     {"triad", "", 3, triad<F>},
     {"load", "double", 1, sizeof(F) == sizeof(float) ? load<D> : nullptr}}};

}  // namespace nbody::machine
