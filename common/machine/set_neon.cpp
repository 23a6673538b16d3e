#include <arm_neon.h>

#include "machine/kernels.hpp"

namespace nbody::machine {

struct Neon {
  static constexpr const char *id = "neon", *name = "NEON", *needs = "asimd";
  static constexpr const char *needs_for_fma = "", *needs_for_double_estimate = "";
  template <typename T>
  using Vector = typename VectorOf<T, 16>::type;
  using Floats = Vector<float>;
  using Doubles = Vector<double>;

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
