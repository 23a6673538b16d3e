#include "machine/instruction_sets.hpp"
#include "machine/kernels.hpp"

// Compiled once for each instruction set, with its flags: MEASURED_SET is its struct.
namespace nbody::machine {

constinit const InstructionSet instruction_set = kernels_of<MEASURED_SET>();

}  // namespace nbody::machine
