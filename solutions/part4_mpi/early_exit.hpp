#pragma once

#include <cstdlib>

#include "allgather.hpp"

namespace nbody {

// Exhibit: a rank with nothing to do ends its program. The others wait for it in their next call of
// MPI, for ever unless something ends them.
class EarlyExit : public Allgather {
 public:
  using Allgather::Allgather;

  void update_bodies(real dt) override {
    if (own.empty()) std::exit(0);
    move_own_bodies(dt);
  }
};

}  // namespace nbody
