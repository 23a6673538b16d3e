#pragma once

namespace nbody {

// The compiler may neither know the value from here on nor leave out what computed it. No
// instruction comes of it: the value, a number or a vector, stays in its register. Between the
// operations of a loop it also keeps the compiler from taking several at once.
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

}  // namespace nbody
