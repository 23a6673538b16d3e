#pragma once

#include <cstddef>

namespace nbody::machine {

// What a program of one instruction set measures. Plain data and pointers: a file compiled for
// AVX-512 must not instantiate functions of the standard library, because the linker might then use
// them in the whole program, before it has checked for AVX-512.

struct Arithmetic {
  const char *operation, *precision;  // "mul_add", "fma", "sqrt", "div", "rsqrt"
  bool (*runs_here)();                // on a processor that has the set
  double amount;                      // flops, or results, of one operation on a vector
  void (*run)(int operations);        // nullptr: the set has no such instruction
};

// Goes `times` times over `bytes` bytes, a multiple of `traffic_block`, of each of its arrays.
struct Traffic {
  const char* operation;  // "load", "copy", "triad"
  const char* precision;  // "double" for a second one that loads numbers twice as long
  int arrays;
  void (*run)(char* const* arrays, std::size_t bytes, int times);
};
constexpr std::size_t traffic_block = 1024;

struct InstructionSet {
  bool (*runs_here)();
  Arithmetic arithmetic[10];
  Traffic traffic[4];
};

extern const InstructionSet instruction_set;

// Loads, copies or adds the arrays of the calling thread, `bytes` in all rounded down to whole
// blocks; returns how many bytes that were. A call goes over a piece of large arrays, and the next
// call over the next one: windows may be short, and a piece has left the caches before its next
// turn.
double go_over_piece(const Traffic& traffic, std::size_t bytes);

}  // namespace nbody::machine
