// Problem: MPI_Allgatherv needs counts and displacements.
// Idea: MPI_Allgather with n / P bodies for each rank.
// Predicted: refused: no rank has the remainder.
// Measured: refused: right only where P divides n, so always on one rank.
// Why: the division drops up to P - 1 bodies.
#pragma once

#include "../01_allgather.hpp"

namespace nbody {

class LostRest : public Allgather {
 public:
  using Allgather::Allgather;

 protected:
  void for_each_partition(const UsePartition& use) override {
    const int each = total / ranks;
    std::vector<Body> all(static_cast<std::size_t>(each) * ranks);
    own.resize(each);
    MPI_Allgather(own.data(), 4 * each, mpi_real, all.data(), 4 * each, mpi_real, MPI_COMM_WORLD);
    use(all.data(), 0, each * ranks);
    own.resize(count_of(rank));  // the last body is lost here: a zero takes its place
  }
};

}  // namespace nbody
