#pragma once

#include "../01_allgather.hpp"

namespace nbody {

// Exhibit: n / P bodies for each rank, and no rank has the rest. It is right if n is a multiple of
// P, so always on one rank.
class LostRest : public Allgather {
 public:
  using Allgather::Allgather;

 protected:
  void visit_all(const Visit& visit) override {
    const int each = total / ranks;
    std::vector<Source> all(static_cast<std::size_t>(each) * ranks);
    own.resize(each);
    MPI_Allgather(own.data(), 4 * each, mpi_real, all.data(), 4 * each, mpi_real, MPI_COMM_WORLD);
    visit(all.data(), 0, each * ranks);
    own.resize(count_of(rank));  // the last body is lost here: a zero takes its place
  }
};

}  // namespace nbody
