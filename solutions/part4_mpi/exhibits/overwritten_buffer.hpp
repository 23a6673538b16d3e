// Problem: the ring needs memory for two blocks.
// Idea: one buffer. MPI_Isend returns at once, so the next block may come where this one is.
// Predicted: refused: a block is overwritten while it is sent.
// Measured: refused: wrong with 4099 bodies, differently each time; right with some hundred.
// Why: a short message has left before MPI_Isend returns, a long one is read until MPI_Wait.
#pragma once

#include "../03_ring.hpp"

namespace nbody {

class OverwrittenBuffer : public Ring {
 public:
  using Ring::Ring;

 protected:
  void for_each_block(const UseBlock& use) override {
    std::vector<Body> block(own);
    block.resize((total + ranks - 1) / ranks);
    for (int hop = 0; hop < ranks; ++hop) {
      const int owner = owner_after(hop), count = count_of(owner);
      use(block.data(), first_of(owner), count);
      if (hop + 1 == ranks) return;
      const int coming = count_of(owner_after(hop + 1));
      MPI_Request sent;
      MPI_Isend(block.data(), count, body, right, 0, circle, &sent);
      MPI_Recv(block.data(), coming, body, left, 0, circle, MPI_STATUS_IGNORE);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
  }
};

}  // namespace nbody
