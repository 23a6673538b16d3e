#pragma once

#include <numeric>
#include <vector>

#include "../01_allgather.hpp"

namespace nbody {

// For rungs that divide the pairs: groups of ranks share their bodies and add up their sums.
class InGroups : public Allgather {
 public:
  using Allgather::Allgather;

 protected:
  // Bodies of the ranks of a group, in the order of the ranks.
  struct Group {
    MPI_Comm comm = MPI_COMM_NULL;
    std::vector<int> counts;  // of bodies, by rank of the group
  };

  // This rank's group: all ranks that give the same number.
  Group group_of(int number) const {
    Group group;
    MPI_Comm_split(MPI_COMM_WORLD, number, rank, &group.comm);
    int size = 0, mine = count_of(rank);
    MPI_Comm_size(group.comm, &size);
    group.counts.resize(size);
    MPI_Allgather(&mine, 1, MPI_INT, group.counts.data(), 1, MPI_INT, group.comm);
    return group;
  }

  std::vector<Body> bodies_of(const Group& group) const {
    const std::vector<int> counts = numbers(4, group);
    std::vector<int> begins(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, begins.begin() + 1);
    std::vector<Body> all((begins.back() + counts.back()) / 4);
    MPI_Allgatherv(own.data(), 4 * count_of(rank), mpi_real, all.data(), counts.data(),
                   begins.data(), mpi_real, group.comm);
    return all;
  }

  // Adds up the sums of all ranks of a group; each keeps those of its own bodies.
  void keep_own(const std::vector<Vector>& sums, const Group& group) {
    const std::vector<int> counts = numbers(3, group);
    MPI_Reduce_scatter(sums.data(), acceleration.data(), counts.data(), mpi_real, MPI_SUM,
                       group.comm);
    for (Vector& a : acceleration) a = {G * a.x, G * a.y, G * a.z};
  }

  void add_pulls_of(const std::vector<Body>& pulling, const std::vector<Body>& pulled,
                    std::vector<Vector>& sums) const {
    if (charged(double(pulled.size()) * double(pulling.size()))) return;
    add_pulls(pulling.data(), static_cast<int>(pulling.size()), pulled, sums);
  }

 private:
  static std::vector<int> numbers(int per_body, const Group& group) {
    std::vector<int> counts(group.counts);
    for (int& count : counts) count *= per_body;
    return counts;
  }
};

}  // namespace nbody
