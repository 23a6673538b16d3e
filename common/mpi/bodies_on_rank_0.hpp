#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "mpi/mpi_simulator.hpp"
#include "simulator/structure_of_arrays.hpp"

namespace nbody {

// The host's work for part 4's naive: all ranks have arrays for all bodies, but only rank 0 moves
// them, so only its positions and velocities are up to date. For another layout of the data see
// docs/using_the_lab.md.
class BodiesOnRank0 : public StructureOfArrays {
 public:
  explicit BodiesOnRank0(const Problem& problem) : StructureOfArrays(problem) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }

  void kick(real dt) override {
    if (rank == 0) StructureOfArrays::kick(dt);
  }
  void drift(real dt) override {
    if (rank == 0) StructureOfArrays::drift(dt);
  }

 protected:
  int n() const { return static_cast<int>(bodies.size()); }

  // Rank r has the bodies first_of(r) to first_of(r + 1) - 1: n / ranks of them, or one more.
  int first_of(int r) const { return static_cast<int>(std::int64_t(n()) * r / ranks); }
  int count_of(int r) const { return first_of(r + 1) - first_of(r); }

  // Eq. 7 for body i, as in part 2.
  real time_step_of(int i) const {
    real nearest2 = std::numeric_limits<real>::infinity();
    for (int j = 0; j < n(); ++j) {
      if (i != j) {
        const real dx = bodies.qx[j] - bodies.qx[i];
        const real dy = bodies.qy[j] - bodies.qy[i];
        const real dz = bodies.qz[j] - bodies.qz[i];
        nearest2 = std::fmin(nearest2, dx * dx + dy * dy + dz * dz);
      }
    }
    if (nearest2 == 0) return 0;  // at rest, Eq. 7 is 0/0
    const real nearest = std::sqrt(nearest2);
    const real v = length(bodies.vx[i], bodies.vy[i], bodies.vz[i]);
    const real a = length(acceleration.x[i], acceleration.y[i], acceleration.z[i]);
    return real(0.2) * nearest / (v + std::sqrt(v * v + real(0.2) * a * nearest));
  }

  // Eq. 7 for all bodies.
  real smallest_time_step() const {
    real smallest = std::numeric_limits<real>::infinity();
    for (int i = 0; i < n(); ++i) smallest = std::fmin(smallest, time_step_of(i));
    return smallest;
  }

  int rank = 0, ranks = 1;
};

}  // namespace nbody
