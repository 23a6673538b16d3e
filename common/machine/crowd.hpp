#pragma once

#include "machine/keep.hpp"

namespace nbody::machine {

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
