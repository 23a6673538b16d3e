#pragma once

#include <stdexcept>

#include "ring.hpp"

namespace nbody {

// Exhibit: only rank 0 sees that something is wrong, and throws. The others are in a call that
// waits for it: an error must reach all ranks (here the lab ends them; in a program of your own
// MPI_Abort does).
class RootThrows : public Ring {
 public:
  using Ring::Ring;

  void compute_accelerations() override {
    if (rank == 0 && total > 1000) throw std::runtime_error("too many bodies for me");
    Ring::compute_accelerations();
  }
};

}  // namespace nbody
