#include <immintrin.h>

#include "machine/kernels.hpp"

namespace nbody::machine {

struct Avx512 : VectorSet<64> {
  static constexpr const char *id = "avx512f", *name = "AVX-512", *needs = "avx512f";

  static Floats fma(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
  static Doubles fma(Doubles a, Doubles b, Doubles c) { return _mm512_fmadd_pd(a, b, c); }
  static Floats root(Floats a) { return _mm512_sqrt_ps(a); }
  static Doubles root(Doubles a) { return _mm512_sqrt_pd(a); }
  static Floats estimate(Floats a) { return _mm512_rsqrt14_ps(a); }
  static Doubles estimate(Doubles a) { return _mm512_rsqrt14_pd(a); }
};

constexpr InstructionSet kernels = kernels_of<Avx512>();
const InstructionSet instruction_set = kernels;

}  // namespace nbody::machine
