#pragma once

#include "../01_allgather.hpp"

namespace nbody {

// Exhibit: each rank takes the largest step that its own bodies allow, without MPI_Allreduce.
// Bodies of different ranks are then at different times, and nothing stops the program.
class OwnTimeStep : public Allgather {
 public:
  using Allgather::Allgather;

  real largest_time_step() override { return smallest_time_step(); }
};

}  // namespace nbody
