// Problem: all ranks wait in MPI_Allreduce for one number.
// Idea: each rank takes the largest step that its own bodies allow.
// Predicted: refused: bodies of different ranks are at different times, and nothing stops the
// program.
// Measured: refused: the bodies do not move by the step that rank 0 returns.
// Why: a decision about all bodies must be the same on all ranks.
#pragma once

#include "../01_allgather.hpp"

namespace nbody {

class OwnTimeStep : public Allgather {
 public:
  using Allgather::Allgather;

  real largest_time_step() override { return smallest_own_step(); }
};

}  // namespace nbody
