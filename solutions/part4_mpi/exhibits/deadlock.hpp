#pragma once

#include "../01_allgather.hpp"

namespace nbody {

// Exhibit: all ranks send before any of them receives. MPI_Send may return before the message is
// received if it is short, so this can work for years. MPI_Ssend never does, which exposes the
// deadlock.
class Deadlock : public Allgather {
 public:
  using Allgather::Allgather;

 protected:
  void visit_all(const Visit& visit) override {
    const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    std::vector<Source> block(own), next;
    for (int hop = 0; hop < ranks; ++hop) {
      const int owner = (rank + ranks - hop) % ranks, following = (owner + ranks - 1) % ranks;
      visit(block.data(), first_of(owner), count_of(owner));
      if (hop + 1 == ranks) return;
      next.resize(count_of(following));
      MPI_Ssend(block.data(), 4 * count_of(owner), mpi_real, to, 0, MPI_COMM_WORLD);
      MPI_Recv(next.data(), 4 * count_of(following), mpi_real, from, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      block.swap(next);
    }
  }
};

}  // namespace nbody
