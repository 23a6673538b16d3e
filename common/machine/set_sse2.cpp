#include <emmintrin.h>

#include "machine/kernels.hpp"

namespace nbody::machine {

struct Sse2 : VectorSet<16> {
  static constexpr const char *id = "sse2", *name = "SSE2", *needs = "sse2";

  static Floats root(Floats a) { return _mm_sqrt_ps(a); }
  static Doubles root(Doubles a) { return _mm_sqrt_pd(a); }
  static Floats estimate(Floats a) { return _mm_rsqrt_ps(a); }
};

constexpr InstructionSet kernels = kernels_of<Sse2>();
const InstructionSet instruction_set = kernels;

}  // namespace nbody::machine
