#pragma once

#include <stdexcept>

#include "allgather.hpp"

namespace nbody {

// Exhibit: only rank 0 notices an error, and throws, while the others wait for it in a call. An
// error must reach all ranks (here the lab ends them; in your own program use MPI_Abort).
class RootThrows : public Allgather {
 public:
  using Allgather::Allgather;

  void compute_accelerations() override {
    if (rank == 0 && total > 1000) throw std::runtime_error("too many bodies for me");
    Allgather::compute_accelerations();
  }
};

}  // namespace nbody
