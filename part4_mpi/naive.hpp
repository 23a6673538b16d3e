#pragma once

#include <cmath>

#include "mpi/bodies_on_rank_0.hpp"

namespace nbody {

// Part 2's bodies on several processes, in the simplest way: rank 0 keeps them all, sends all
// positions to all ranks before each evaluation, waits for each rank's accelerations in turn, and
// moves the bodies while the others wait. The baseline of part 4: do not edit it.
class Naive : public BodiesOnRank0 {
 public:
  using BodiesOnRank0::BodiesOnRank0;

  // Eq. 1-3: each rank for its own share of the bodies.
  void compute_accelerations() override {
    for (auto* positions : {&bodies.qx, &bodies.qy, &bodies.qz}) broadcast(*positions);
    const int first = first_of(rank), end = first_of(rank + 1);
    if (!simulated_work(double(end - first) * n())) {
      for (int i = first; i < end; ++i) accelerate(i);
    }
    for (auto* values : {&acceleration.x, &acceleration.y, &acceleration.z}) collect(*values);
  }

  // Eq. 7, by rank 0 alone: no body may travel more than 10 % of the way to its nearest neighbour.
  real largest_time_step() override {
    real smallest = 0;
    if (rank == 0) smallest = smallest_time_step();
    MPI_Bcast(&smallest, 1, mpi_real, 0, MPI_COMM_WORLD);  // all must take the same step
    return smallest;
  }

  // Eq. 5 with the old velocity, then Eq. 4; rank 0 alone.
  void update_bodies(real dt) override {
    if (rank != 0) return;
    move(bodies.qx, bodies.vx, acceleration.x, dt);
    move(bodies.qy, bodies.vy, acceleration.y, dt);
    move(bodies.qz, bodies.vz, acceleration.z, dt);
  }

 protected:
  void accelerate(int i) {
    real ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n(); ++j) {
      if (i != j) {
        const real dx = bodies.qx[j] - bodies.qx[i];
        const real dy = bodies.qy[j] - bodies.qy[i];
        const real dz = bodies.qz[j] - bodies.qz[i];
        const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
        const real weight = bodies.mass[j] / (r2 * std::sqrt(r2));
        ax += weight * dx;
        ay += weight * dy;
        az += weight * dz;
      }
    }
    acceleration.x[i] = G * ax;
    acceleration.y[i] = G * ay;
    acceleration.z[i] = G * az;
  }

  // Rank 0's values, to all.
  static void broadcast(std::vector<real>& values) {
    MPI_Bcast(values.data(), static_cast<int>(values.size()), mpi_real, 0, MPI_COMM_WORLD);
  }

  // Each rank's share of the values, to rank 0.
  void collect(std::vector<real>& values) const {
    if (rank != 0) {
      MPI_Send(values.data() + first_of(rank), count_of(rank), mpi_real, 0, 0, MPI_COMM_WORLD);
      return;
    }
    for (int r = 1; r < ranks; ++r) {
      MPI_Recv(values.data() + first_of(r), count_of(r), mpi_real, r, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
  }
};

}  // namespace nbody
