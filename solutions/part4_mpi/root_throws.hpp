#pragma once

#include <stdexcept>

#include "ring.hpp"

namespace nbody {

// Exhibit: only rank 0 notices an error, and throws, while the others wait for it in a call. An
// error must reach all ranks (here the lab ends them; in your own program use MPI_Abort).
class RootThrows : public Ring {
 public:
  using Ring::Ring;

  void compute_accelerations() override {
    if (rank == 0 && total > 1000) throw std::runtime_error("too many bodies for me");
    Ring::compute_accelerations();
  }
};

}  // namespace nbody
