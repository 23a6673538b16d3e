#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "mpi/mpi_simulator.hpp"

namespace nbody {

// What all rungs on CPUs share: a rank holds and moves its own bodies; rank 0 gets all on request.
// A rung must implement
//   for_each_partition(use)   calls use(partition, first, count) until every body has been shown
//                             once, this rank's own included; body j has the number first + j
//   compute_accelerations()   of its own bodies, by all partitions
//   largest_time_step()       of all ranks, by smallest_own_step()
class OwnBodies : public Simulator {
 public:
  explicit OwnBodies(const Problem& problem)
      : G(problem.G), softening(problem.softening), total(static_cast<int>(problem.bodies.size())) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Bodies<real>& from = problem.bodies;
    for (int i = first_of(rank); i < first_of(rank + 1); ++i) {
      own.push_back({from.qx[i], from.qy[i], from.qz[i], from.mass[i]});
      velocity.push_back({from.vx[i], from.vy[i], from.vz[i]});
    }
    acceleration.resize(own.size());
  }
  // Communicators, types and windows of MPI are not copied.
  OwnBodies(const OwnBodies&) = delete;
  OwnBodies& operator=(const OwnBodies&) = delete;

  // Eq. 5 with the old velocity, then Eq. 4.
  void update_bodies(real dt) override {
    for (std::size_t i = 0; i < own.size(); ++i) {
      const Vector &v = velocity[i], &a = acceleration[i];
      own[i].x += v.x * dt + a.x * dt * dt / 2;
      own[i].y += v.y * dt + a.y * dt * dt / 2;
      own[i].z += v.z * dt + a.z * dt * dt / 2;
    }
    kick(dt);
  }
  void kick(real dt) override { add(velocity, acceleration, dt); }
  void drift(real dt) override { add(own, velocity, dt); }

  void copy_state(Bodies<real>& state) const override {
    gather(own, state.qx, state.qy, state.qz);
    gather(velocity, state.vx, state.vy, state.vz);
  }
  void copy_accelerations(Vectors<real>& to) const override {
    gather(acceleration, to.x, to.y, to.z);
  }

 protected:
  struct Body {
    real x, y, z, mass;
  };
  struct Vector {
    real x, y, z;
  };

  template <typename Element>
  static void add(std::vector<Element>& to, const std::vector<Vector>& rates, real dt) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i].x += rates[i].x * dt;
      to[i].y += rates[i].y * dt;
      to[i].z += rates[i].z * dt;
    }
  }

  using UsePartition = std::function<void(const Body* partition, int first, int count)>;
  virtual void for_each_partition(const UsePartition& use) = 0;

  // Eq. 7 for this rank's bodies, whose nearest neighbours may be on any rank.
  real smallest_own_step() {
    constexpr real infinity = std::numeric_limits<real>::infinity();
    std::vector<real> nearest2(own.size(), infinity);
    for_each_partition([&](const Body* partition, int first, int count) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        const int self = first_of(rank) + static_cast<int>(i) - first;
        for (int j = 0; j < count; ++j) {
          const real dx = partition[j].x - own[i].x;
          const real dy = partition[j].y - own[i].y;
          const real dz = partition[j].z - own[i].z;
          const real r2 = dx * dx + dy * dy + dz * dz;
          if (j != self && r2 < nearest2[i]) nearest2[i] = r2;
        }
      }
    });
    real smallest = infinity;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const real nearest = std::sqrt(nearest2[i]);
      const real v = std::hypot(velocity[i].x, velocity[i].y, velocity[i].z);
      const real a = std::hypot(acceleration[i].x, acceleration[i].y, acceleration[i].z);
      real dt = real(0.2) * nearest / (v + std::sqrt(v * v + real(0.2) * a * nearest));
      if (nearest == 0) dt = 0;  // at rest, Eq. 7 is 0/0
      if (dt < smallest) smallest = dt;
    }
    return smallest;
  }

  // Bodies first_of(r) to first_of(r + 1) - 1 are rank r's: total / ranks, or one more.
  int first_of(int r) const { return static_cast<int>(std::int64_t(total) * r / ranks); }
  int count_of(int r) const { return first_of(r + 1) - first_of(r); }

  // For calls with partitions of different lengths, in numbers: how many each rank has, where they
  // go.
  auto partitions_of(int numbers_per_body) const {
    std::vector<int> counts, begins;
    for (int r = 0; r < ranks; ++r) {
      counts.push_back(numbers_per_body * count_of(r));
      begins.push_back(numbers_per_body * first_of(r));
    }
    return std::pair(counts, begins);
  }

  // To rank 0 the coordinates of all ranks; nothing to the others.
  template <typename Element>
  void gather(const std::vector<Element>& mine, std::vector<real>& x, std::vector<real>& y,
              std::vector<real>& z) const {
    std::vector<Element> all(rank == 0 ? total : 0);
    const auto [counts, begins] = partitions_of(sizeof(Element) / sizeof(real));
    MPI_Gatherv(mine.data(), counts[rank], mpi_real, all.data(), counts.data(), begins.data(),
                mpi_real, 0, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < all.size(); ++i) {
      x[i] = all[i].x;
      y[i] = all[i].y;
      z[i] = all[i].z;
    }
  }

  real G, softening;
  int total;  // bodies on all ranks
  int rank = 0, ranks = 1;
  std::vector<Body> own;  // this rank's
  std::vector<Vector> velocity, acceleration;
};

}  // namespace nbody
