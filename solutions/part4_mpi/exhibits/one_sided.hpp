// Problem: in a ring each rank must be ready when its neighbour is.
// Idea: one-sided communication. Each rank opens a window on its own bodies; the others fetch them
// when it suits them, the next partition while they compute with this one. Two barriers per
// evaluation ensure that all bodies have moved, and that no rank still reads them.
// Predicted: 0.9 x on 16 ranks: 15 fetches, and a library that has to ask the other rank gets its
// answer only when that one calls MPI.
// Measured: 0.922 x.
// Why: 15 fetches and two barriers stand in an iteration of 1.4 ms, where allgather takes 1.2.
#pragma once

#include "../01_allgather.hpp"

namespace nbody {

class OneSided : public Allgather {
 public:
  explicit OneSided(const Problem& problem) : Allgather(problem) {
    if (ranks == 1) return;  // Open MPI 4.1 opens no window for a single process
    MPI_Win_create(own.data(), static_cast<MPI_Aint>(own.size() * sizeof(Body)), sizeof(Body),
                   MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  }
  ~OneSided() override {
    if (window == MPI_WIN_NULL) return;
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
  }

 protected:
  void for_each_partition(const UsePartition& use) override {
    if (ranks > 1) MPI_Win_sync(window);  // what this rank has moved is in its window
    MPI_Barrier(MPI_COMM_WORLD);          // all have moved their bodies
    if (ranks > 1) MPI_Win_sync(window);
    std::vector<Body> partition(own), next;
    for (int hop = 0; hop < ranks; ++hop) {
      const int owner = (rank + hop) % ranks, following = (owner + 1) % ranks;
      MPI_Request request = MPI_REQUEST_NULL;
      if (hop + 1 < ranks) {
        const int values = 4 * count_of(following);
        next.resize(count_of(following));
        MPI_Rget(next.data(), values, mpi_real, following, 0, values, mpi_real, window, &request);
      }
      use(partition.data(), first_of(owner), count_of(owner));
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      partition.swap(next);
    }
    MPI_Barrier(MPI_COMM_WORLD);  // no rank reads them any more
  }

  MPI_Win window = MPI_WIN_NULL;
};

}  // namespace nbody
