// Problem: MPI_Sendrecv is one call for two things.
// Idea: send the partition, then receive the next, as on one line of a plan.
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
  void pass_on(const Body* partition, int count, Body* next, int coming) override {
    MPI_Ssend(partition, count, body, right, 0, circle);
    MPI_Recv(next, coming, body, left, 0, circle, MPI_STATUS_IGNORE);
  }
};

}  // namespace nbody
