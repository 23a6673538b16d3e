#pragma once

#include "allgather.hpp"

namespace nbody {

// Exhibit: written for and tested on two ranks. On more ranks the others never move their bodies,
// although all forces are right for the positions that the bodies have.
class TwoRanksOnly : public Allgather {
 public:
  using Allgather::Allgather;

  void update_bodies(real dt) override {
    if (rank < 2) move_own_bodies(dt);
  }
};

}  // namespace nbody
