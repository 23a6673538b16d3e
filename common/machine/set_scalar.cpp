#include "machine/kernels.hpp"
#include "machine/scalar.hpp"

namespace nbody::machine {

constexpr InstructionSet kernels = kernels_of<Scalar>();
const InstructionSet instruction_set = kernels;

}  // namespace nbody::machine
