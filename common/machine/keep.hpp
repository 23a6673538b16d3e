#pragma once

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

}  // namespace nbody::machine
