#pragma once

// Loops that the compiler leaves as they are.
namespace nbody::machine {

// From here on the compiler does not know the value, and cannot remove its computation. Emits no
// instruction: the value, a number or a vector, stays in its register. Between the operations of a
// loop it also prevents vectorisation.
template <typename V>
inline void keep(V& value) {
#if defined(__x86_64__)
  asm volatile("" : "+x"(value));
#elif defined(__aarch64__)
  asm volatile("" : "+w"(value));
#else
  asm volatile("" : "+m"(value));
#endif
}

inline void keep_integer(unsigned long& value) { asm volatile("" : "+r"(value)); }

// Enough independent operations to fill two units with a latency of five, or three with four; more
// would not fit into the registers, of which x and y take two.
constexpr int in_flight = 14;

// Two kinds of operations.hpp in turn, on fourteen independent vectors V of numbers T. Fourteen
// variables and not an array of fourteen: g++ 12 keeps an array in memory.
template <typename First, typename Second, typename T, typename V>
[[gnu::noinline]] void independent(int operations) {
  V x = V{} + T(First::x), y = V{} + T(First::y);
  keep(x);
  keep(y);
  const auto both = [&x, &y ](V & one, V & other) __attribute__((always_inline)) {
    one = First()(one, x, y);
    keep(one);
    other = Second()(other, x, y);
    keep(other);
  };
  const V start = V{} + T(First::start);
  V a = start, b = start, c = start, d = start, e = start, f = start, g = start;
  V h = start, i = start, j = start, k = start, l = start, m = start, n = start;
  for (int done = 0; done < operations; done += in_flight) {
    both(a, b);
    both(c, d);
    both(e, f);
    both(g, h);
    both(i, j);
    both(k, l);
    both(m, n);
  }
}

}  // namespace nbody::machine
