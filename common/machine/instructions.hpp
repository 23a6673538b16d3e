#pragma once

#include <cmath>
#include <string>

#include "machine/machine.hpp"

// Single instructions, for measuring. Only here the lab knows one kind of processor from another.
namespace nbody {

// The compiler may neither know the value from here on nor leave out what computed it. No
// instruction comes of it: the value stays in its register. Between the operations of a loop it
// also keeps the compiler from taking several at once.
template <typename T>
inline void keep(T& value) {
#if defined(__x86_64__)
  asm volatile("" : "+x"(value));
#elif defined(__aarch64__)
  asm volatile("" : "+w"(value));
#else
  asm volatile("" : "+m"(value));
#endif
}

inline void keep_integer(unsigned long& value) { asm volatile("" : "+r"(value)); }

// a * b + c by one instruction, in a program that is built for processors without it, too.
inline float hardware_fma(float a, float b, float c) {
#if defined(__x86_64__)
  asm("vfmadd213ss %2, %1, %0" : "+x"(a) : "x"(b), "x"(c));
  return a;
#else
  return std::fma(a, b, c);
#endif
}

inline double hardware_fma(double a, double b, double c) {
#if defined(__x86_64__)
  asm("vfmadd213sd %2, %1, %0" : "+x"(a) : "x"(b), "x"(c));
  return a;
#else
  return std::fma(a, b, c);
#endif
}

inline bool has_hardware_fma() {
#if defined(__x86_64__)
  std::string missing;
  return machine_has("fma", missing);
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

// The processor's estimate of 1/sqrt(value): 12 bits of float, 14 of double.
inline float estimate_rsqrt(float value) {
#if defined(__x86_64__)
  asm("rsqrtss %0, %0" : "+x"(value));
#endif
  return value;
}

inline double estimate_rsqrt(double value) {
#if defined(__x86_64__)
  asm("vrsqrt14sd %0, %0, %0" : "+x"(value));
#endif
  return value;
}

// The instruction's name; empty where there is none, or where this file does not know it.
template <typename T>
std::string name_of_estimate() {
#if defined(__x86_64__)
  std::string missing;
  if (sizeof(T) == sizeof(float)) return "rsqrtss";
  if (machine_has("avx512f", missing)) return "vrsqrt14sd";
#endif
  return "";
}

}  // namespace nbody
