#pragma once

#include <string>

#include "simulator/accelerator.hpp"

namespace nbody {

// A program of several processes (simulator/ranks.hpp).
extern const Accelerator mpi_ranks;

// Its parts, for programs whose ranks also need a device.
Accelerator with_ranks(void (*demand)(), std::string (*description)());
std::string description_of_ranks();  // "4 ranks, Open MPI v4.1.4"

// The same if each rank computes on a GPU; several ranks may share one.
extern const Accelerator mpi_gpus;

}  // namespace nbody
