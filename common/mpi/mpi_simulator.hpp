#pragma once

#include <mpi.h>

#include "simulator/simulator.hpp"

// What an implementation of part 4 includes. It runs on all ranks: each makes a simulator from the
// same problem and calls the same functions in the same order. So every function of the contract
// may communicate. The results of copy_state() and copy_accelerations() are only read on rank 0.
namespace nbody {

// The type of `real` in a message.
inline const MPI_Datatype mpi_real = in_double ? MPI_DOUBLE : MPI_FLOAT;

// Put around code that computes interactions, with their number: `if (!simulated_work(bodies *
// n))`. On a simulated cluster (bench --simulated) it adds their time to this rank's and returns
// true: they need not be computed. In a real program it returns false and costs nothing.
#ifdef LAB_SIMULATED
bool simulated_work(double interactions);
#else
constexpr bool simulated_work(double) { return false; }
#endif

}  // namespace nbody
