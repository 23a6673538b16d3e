#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "mpi/mpi_simulator.hpp"

namespace nbody {

// Part 2's bodies on several processes, in the simplest way: rank 0 keeps them all, sends all
// positions to all ranks before each evaluation, waits for each rank's accelerations in turn, and
// moves the bodies while the others wait. The baseline of part 4: do not edit it.
class Naive : public Simulator {
 public:
  explicit Naive(const Problem& problem)
      : G(problem.G), softening(problem.softening), bodies(problem.bodies) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    acceleration.resize(bodies.size());
  }

  // Eq. 1-3: each rank for its own share of the bodies.
  void compute_accelerations() override {
    broadcast(bodies.qx);
    broadcast(bodies.qy);
    broadcast(bodies.qz);
    const int first = first_of(rank), end = first_of(rank + 1);
    if (!charged(double(end - first) * n())) {
      for (int i = first; i < end; ++i) accelerate(i);
    }
    collect(acceleration.x);
    collect(acceleration.y);
    collect(acceleration.z);
  }

  // Eq. 7, by rank 0 alone: no body may travel more than 10 % of the way to its nearest neighbour.
  real largest_time_step() override {
    real smallest = std::numeric_limits<real>::infinity();
    if (rank == 0) {
      for (int i = 0; i < n(); ++i) smallest = std::fmin(smallest, time_step_of(i));
    }
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

  // The two steps of other integrators: v += a dt, and q += v dt; rank 0 alone.
  void kick(real dt) override {
    if (rank != 0) return;
    add(acceleration.x, dt, bodies.vx);
    add(acceleration.y, dt, bodies.vy);
    add(acceleration.z, dt, bodies.vz);
  }
  void drift(real dt) override {
    if (rank != 0) return;
    add(bodies.vx, dt, bodies.qx);
    add(bodies.vy, dt, bodies.qy);
    add(bodies.vz, dt, bodies.qz);
  }

  // Called on all ranks; only the result of rank 0 is used.
  void copy_state(Bodies<real>& state) const override { state = bodies; }
  void copy_accelerations(Vectors<real>& accelerations) const override {
    accelerations = acceleration;
  }

 protected:
  int n() const { return static_cast<int>(bodies.size()); }

  // Rank r has the bodies first_of(r) to first_of(r + 1) - 1: n / ranks of them, or one more.
  int first_of(int r) const { return static_cast<int>(std::int64_t(n()) * r / ranks); }

  void accelerate(int i) {
    real ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n(); ++j) {
      if (i != j) {
        const real dx = bodies.qx[j] - bodies.qx[i];
        const real dy = bodies.qy[j] - bodies.qy[i];
        const real dz = bodies.qz[j] - bodies.qz[i];
        const real r2 = dx * dx + dy * dy + dz * dz + softening * softening;
        const real pull = bodies.mass[j] / (r2 * std::sqrt(r2));
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
      }
    }
    acceleration.x[i] = G * ax;
    acceleration.y[i] = G * ay;
    acceleration.z[i] = G * az;
  }

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

  // Rank 0's numbers, to all.
  static void broadcast(std::vector<real>& values) {
    MPI_Bcast(values.data(), static_cast<int>(values.size()), mpi_real, 0, MPI_COMM_WORLD);
  }

  // Each rank's share of the numbers, to rank 0.
  void collect(std::vector<real>& values) const {
    if (rank != 0) {
      const int mine = first_of(rank + 1) - first_of(rank);
      MPI_Send(values.data() + first_of(rank), mine, mpi_real, 0, 0, MPI_COMM_WORLD);
      return;
    }
    for (int r = 1; r < ranks; ++r) {
      const int theirs = first_of(r + 1) - first_of(r);
      MPI_Recv(values.data() + first_of(r), theirs, mpi_real, r, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
  }

  static real length(real x, real y, real z) { return std::sqrt(x * x + y * y + z * z); }

  static void move(std::vector<real>& q, std::vector<real>& v, const std::vector<real>& a,
                   real dt) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += v[i] * dt + a[i] * dt * dt / 2;
      v[i] += a[i] * dt;
    }
  }

  static void add(const std::vector<real>& what, real factor, std::vector<real>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += what[i] * factor;
  }

  real G;
  real softening;
  int rank = 0, ranks = 1;
  Bodies<real> bodies;  // positions and velocities are up to date on rank 0
  Vectors<real> acceleration;
};

}  // namespace nbody
