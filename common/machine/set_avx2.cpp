#include <immintrin.h>

#include "machine/kernels.hpp"

namespace nbody::machine {

struct Avx2 : VectorSet<32> {
  static constexpr const char *id = "avx2", *name = "AVX2", *needs = "avx2 fma";

  static Floats fma(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
  static Doubles fma(Doubles a, Doubles b, Doubles c) { return _mm256_fmadd_pd(a, b, c); }
  static Floats root(Floats a) { return _mm256_sqrt_ps(a); }
  static Doubles root(Doubles a) { return _mm256_sqrt_pd(a); }
  static Floats estimate(Floats a) { return _mm256_rsqrt_ps(a); }
};

constexpr InstructionSet kernels = kernels_of<Avx2>();
const InstructionSet instruction_set = kernels;

}  // namespace nbody::machine
