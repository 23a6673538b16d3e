#pragma once

#include <mpi.h>

#include "simulator/simulator.hpp"

// What an implementation of part 4 includes. It runs on all ranks at once: each makes a simulator
// from the same problem, and each calls the same functions in the same order. So every function of
// the contract may talk to the other ranks. What copy_state() and copy_accelerations() give is read
// on rank 0 alone.
namespace nbody {

// The type of `real` in a message.
inline const MPI_Datatype mpi_real = in_double ? MPI_DOUBLE : MPI_FLOAT;

// Around what computes interactions, by how many: `if (!charged(rows * n)) ...`. On a simulated
// cluster
// (./lab simulate) their time is charged to this rank, and they need not be computed: true. In a
// real program it is false, and costs nothing.
#ifdef LAB_SIMULATED
bool charged(double interactions);
#else
constexpr bool charged(double) { return false; }
#endif

}  // namespace nbody
