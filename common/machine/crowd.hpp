#pragma once

namespace nbody {

// Enough operations under way to fill two units of a latency of five; more would not fit into the
// registers.
constexpr int in_flight = 12;

// `first` and `second` in turn on twelve numbers, none of which waits for another. Twelve variables
// and not an array of twelve: g++ 12 keeps an array in memory.
template <typename T, typename First, typename Second>
inline void in_a_crowd(T start, int operations, const First& first, const Second& second) {
  T a = start, b = start, c = start, d = start, e = start, f = start;
  T g = start, h = start, i = start, j = start, k = start, l = start;
  for (int done = 0; done < operations; done += in_flight) {
    first(a), second(b);
    first(c), second(d);
    first(e), second(f);
    first(g), second(h);
    first(i), second(j);
    first(k), second(l);
  }
}

}  // namespace nbody
