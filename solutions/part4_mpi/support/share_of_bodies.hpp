#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "mpi/mpi_simulator.hpp"

namespace nbody {

// What all rungs on the CPU share: a rank holds and moves its own bodies, and rank 0 gets all of
// them only on request. How a rank sees the bodies of the others is each rung's own idea:
// visit_all().
class ShareOfBodies : public Simulator {
 public:
  explicit ShareOfBodies(const Problem& problem)
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

  void kick(real dt) override {
    for (std::size_t i = 0; i < own.size(); ++i) {
      velocity[i].x += acceleration[i].x * dt;
      velocity[i].y += acceleration[i].y * dt;
      velocity[i].z += acceleration[i].z * dt;
    }
  }
  void drift(real dt) override {
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i].x += velocity[i].x * dt;
      own[i].y += velocity[i].y * dt;
      own[i].z += velocity[i].z * dt;
    }
  }

  void copy_state(Bodies<real>& state) const override {
    const std::vector<Source> sources = on_rank_0(own);
    const std::vector<Vector> velocities = on_rank_0(velocity);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      state.qx[i] = sources[i].x;
      state.qy[i] = sources[i].y;
      state.qz[i] = sources[i].z;
      state.vx[i] = velocities[i].x;
      state.vy[i] = velocities[i].y;
      state.vz[i] = velocities[i].z;
    }
  }

  void copy_accelerations(Vectors<real>& accelerations) const override {
    copy_to_rank_0(acceleration, accelerations);
  }

 protected:
  struct Source {
    real x, y, z, mass;
  };
  struct Vector {
    real x, y, z;
  };

  using Visit = std::function<void(const Source*, int first, int count)>;

  // Passes all bodies to the function, in one piece or several, including this rank's own.
  virtual void visit_all(const Visit& visit) = 0;

  // Eq. 5 with the old velocity, then Eq. 4.
  void move_own_bodies(real dt) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      const Vector &v = velocity[i], &a = acceleration[i];
      own[i].x += v.x * dt + a.x * dt * dt / 2;
      own[i].y += v.y * dt + a.y * dt * dt / 2;
      own[i].z += v.z * dt + a.z * dt * dt / 2;
    }
    kick(dt);
  }

  // Squared, of this rank's own bodies to their nearest neighbours, which may be on any rank.
  virtual std::vector<real> nearest_distances2() {
    std::vector<real> nearest2(own.size(), std::numeric_limits<real>::infinity());
    visit_all([&](const Source* sources, int first, int count) {
      find_nearest(sources, first, count, nearest2);
    });
    return nearest2;
  }

  // Eq. 7, the smallest step of this rank's own bodies.
  real smallest_time_step() {
    const std::vector<real> nearest2 = nearest_distances2();
    real smallest = std::numeric_limits<real>::infinity();
    for (std::size_t i = 0; i < own.size(); ++i) {
      const real nearest = std::sqrt(nearest2[i]);
      const real v = length(velocity[i]), a = length(acceleration[i]);
      real dt = real(0.2) * nearest / (v + std::sqrt(v * v + real(0.2) * a * nearest));
      if (nearest == 0) dt = 0;  // at rest, Eq. 7 is 0/0
      if (dt < smallest) smallest = dt;
    }
    return smallest;
  }

  void find_nearest(const Source* sources, int first, int count,
                    std::vector<real>& nearest2) const {
    for (std::size_t i = 0; i < own.size(); ++i) {
      const int self = first_of(rank) + static_cast<int>(i) - first;
      for (int j = 0; j < count; ++j) {
        const real dx = sources[j].x - own[i].x;
        const real dy = sources[j].y - own[i].y;
        const real dz = sources[j].z - own[i].z;
        const real r2 = dx * dx + dy * dy + dz * dz;
        if (j != self && r2 < nearest2[i]) nearest2[i] = r2;
      }
    }
  }

  static real length(const Vector& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

  // Bodies first_of(r) to first_of(r + 1) - 1 are rank r's: total / ranks, or one more.
  int first_of(int r) const { return static_cast<int>(std::int64_t(total) * r / ranks); }
  int count_of(int r) const { return first_of(r + 1) - first_of(r); }

  // What calls for blocks of different lengths want to know (MPI_Allgatherv, MPI_Gatherv): how much
  // each rank has, and where it begins, in things of so many numbers.
  struct Blocks {
    std::vector<int> counts, begins;
  };
  Blocks blocks_of(int numbers) const {
    Blocks blocks;
    for (int r = 0; r < ranks; ++r) {
      blocks.counts.push_back(numbers * count_of(r));
      blocks.begins.push_back(numbers * first_of(r));
    }
    return blocks;
  }

  // Rank 0 receives the bodies of all ranks; the other ranks receive nothing.
  template <typename Thing>
  std::vector<Thing> on_rank_0(const std::vector<Thing>& mine) const {
    constexpr int numbers = sizeof(Thing) / sizeof(real);
    std::vector<Thing> all(rank == 0 ? total : 0);
    const auto [counts, begins] = blocks_of(numbers);
    MPI_Gatherv(mine.data(), counts[rank], mpi_real, all.data(), counts.data(), begins.data(),
                mpi_real, 0, MPI_COMM_WORLD);
    return all;
  }

  void copy_to_rank_0(const std::vector<Vector>& mine, Vectors<real>& to) const {
    const std::vector<Vector> all = on_rank_0(mine);
    for (std::size_t i = 0; i < all.size(); ++i) {
      to.x[i] = all[i].x;
      to.y[i] = all[i].y;
      to.z[i] = all[i].z;
    }
  }

  real G;
  real softening;
  int total;  // bodies on all ranks
  int rank = 0, ranks = 1;
  std::vector<Source> own;  // this rank's bodies
  std::vector<Vector> velocity, acceleration;
};

}  // namespace nbody
