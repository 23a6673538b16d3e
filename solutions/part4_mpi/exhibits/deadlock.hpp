// Problem: MPI_Sendrecv is one call for two things.
// Idea: send the block, then receive the next, as on one line of a plan.
// Predicted: refused: each rank waits for its neighbour to receive, and none does (deadlock).
// Measured: refused: no answer in time on two ranks or more.
// Why: MPI_Ssend returns when the message is being received. MPI_Send may return before that if the
// message is short, so with it this can work for years.
#pragma once

#include "../03_ring.hpp"

namespace nbody {

class Deadlock : public Ring {
 public:
  using Ring::Ring;

 protected:
  void for_each_block(const UseBlock& use) override {
    std::vector<Body> block(own), next;
    for (int hop = 0; hop < ranks; ++hop) {
      const int owner = owner_after(hop), count = count_of(owner);
      use(block.data(), first_of(owner), count);
      if (hop + 1 == ranks) return;
      const int coming = count_of(owner_after(hop + 1));
      next.resize(coming);
      MPI_Ssend(block.data(), count, body, right, 0, circle);
      MPI_Recv(next.data(), coming, body, left, 0, circle, MPI_STATUS_IGNORE);
      block.swap(next);
    }
  }
};

}  // namespace nbody
