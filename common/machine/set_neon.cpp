#include <arm_neon.h>

#include "machine/kernels.hpp"

namespace nbody::machine {

struct Neon : VectorSet<16> {
  static constexpr const char *id = "neon", *name = "NEON", *needs = "asimd";

  static Floats fma(Floats a, Floats b, Floats c) { return vfmaq_f32(c, a, b); }
  static Doubles fma(Doubles a, Doubles b, Doubles c) { return vfmaq_f64(c, a, b); }
  static Floats root(Floats a) { return vsqrtq_f32(a); }
  static Doubles root(Doubles a) { return vsqrtq_f64(a); }
  static Floats estimate(Floats a) { return vrsqrteq_f32(a); }
  static Doubles estimate(Doubles a) { return vrsqrteq_f64(a); }
};

constexpr InstructionSet kernels = kernels_of<Neon>();
const InstructionSet instruction_set = kernels;

}  // namespace nbody::machine
