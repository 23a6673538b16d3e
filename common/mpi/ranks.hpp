#pragma once

#include "mpi/on_all_ranks.hpp"
#include "simulator/accelerator.hpp"

namespace nbody {

// A program of several processes: rank 0 is the program that people and the checker talk to, the
// others follow it (program.cpp.in).
extern const Accelerator mpi_ranks;

}  // namespace nbody
