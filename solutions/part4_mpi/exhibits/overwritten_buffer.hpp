#pragma once

#include "../01_allgather.hpp"

namespace nbody {

// Exhibit: the next block is received into the buffer that MPI_Isend is still sending. A short
// message has left already, so small problems come out right; a long one is overwritten while it is
// read.
class OverwrittenBuffer : public Allgather {
 public:
  using Allgather::Allgather;

 protected:
  void visit_all(const Visit& visit) override {
    const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    std::vector<Source> block(own);
    block.resize((total + ranks - 1) / ranks);
    for (int hop = 0; hop < ranks; ++hop) {
      const int owner = (rank + ranks - hop) % ranks, following = (owner + ranks - 1) % ranks;
      visit(block.data(), first_of(owner), count_of(owner));
      if (hop + 1 == ranks) return;
      MPI_Request sent;
      MPI_Isend(block.data(), 4 * count_of(owner), mpi_real, to, 0, MPI_COMM_WORLD, &sent);
      MPI_Recv(block.data(), 4 * count_of(following), mpi_real, from, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
  }
};

}  // namespace nbody
