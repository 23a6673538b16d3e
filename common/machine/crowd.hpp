#pragma once

#include "machine/keep.hpp"

namespace nbody {

// Enough operations under way to fill two units of a latency of five, or three of four; more would
// not fit into the registers, of which x and y take two.
constexpr int in_flight = 14;

// `first` and `second` in turn on fourteen numbers, none of which waits for another. Fourteen
// variables and not an array of fourteen: g++ 12 keeps an array in memory.
template <typename V, typename First, typename Second>
inline void in_a_crowd(V start, int operations, const First& first, const Second& second) {
  V a = start, b = start, c = start, d = start, e = start, f = start;
  V g = start, h = start, i = start, j = start, k = start, l = start;
  V m = start, n = start;
  for (int done = 0; done < operations; done += in_flight) {
    first(a), second(b);
    first(c), second(d);
    first(e), second(f);
    first(g), second(h);
    first(i), second(j);
    first(k), second(l);
    first(m), second(n);
  }
}

// Two kinds of operations.hpp in turn, on vectors V of numbers T.
template <typename First, typename Second, typename T, typename V>
[[gnu::noinline]] void independent(int operations) {
  V x = V{} + T(First::x), y = V{} + T(First::y);
  keep(x);
  keep(y);
  const auto by = [&](auto operation) {
    return [&x, &y, operation](V& value) {
      value = operation(value, x, y);
      keep(value);
    };
  };
  in_a_crowd(V{} + T(First::start), operations, by(First()), by(Second()));
}

}  // namespace nbody
