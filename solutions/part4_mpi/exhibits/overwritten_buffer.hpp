// Problem: the ring needs memory for two partitions.
// Idea: one buffer. MPI_Isend returns at once, so the next partition may come where this one is.
// Predicted: refused: a partition is overwritten while it is sent.
// Measured: refused: wrong with 4099 bodies, differently each time; right with some hundred.
// Why: a short message has left before MPI_Isend returns, a long one is read until MPI_Wait.
#pragma once

#include "../03_ring.hpp"

namespace nbody {

class OverwrittenBuffer : public Ring {
 public:
  using Ring::Ring;

 protected:
  void for_each_partition(const UsePartition& use) override {
    std::vector<Body> partition(own);
    partition.resize((total + ranks - 1) / ranks);
    for (int hop = 0; hop < ranks; ++hop) {
      const int owner = owner_after(hop), count = count_of(owner);
      use(partition.data(), first_of(owner), count);
      if (hop + 1 == ranks) return;
      const int coming = count_of(owner_after(hop + 1));
      MPI_Request sent;
      MPI_Isend(partition.data(), count, body, right, 0, circle, &sent);
      MPI_Recv(partition.data(), coming, body, left, 0, circle, MPI_STATUS_IGNORE);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
  }
};

}  // namespace nbody
