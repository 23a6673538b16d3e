#pragma once

#include <algorithm>
#include <vector>

#include "../../part2_vectorization/support/inverse_cube.hpp"
#include "../support/share_of_bodies.hpp"
#include "simulator/aligned.hpp"

namespace nbody {

// Problem: with one rank per core, a host copies every block once per core.
// Idea: fewer ranks, with threads. One rank per host (or socket) communicates, and OpenMP shares
// its rows among the cores; only the main thread calls MPI (MPI_THREAD_FUNNELED).
// Changed: the pragma above the rows.
// Predicted: 1 x batches. Measured with 5000 bodies on one host, one thread per rank: 1.00 x on one
// rank, 0.94 x on two.
class Hybrid : public ShareOfBodies {
 public:
  using ShareOfBodies::ShareOfBodies;

  // Eq. 1-3.
  void compute_accelerations() override {
    std::fill(acceleration.begin(), acceleration.end(), Vector{0, 0, 0});
    visit_all([this](const Source* sources, int, int count) {
      if (!charged(double(own.size()) * count)) add_pulls(sources, count);
    });
    for (Vector& a : acceleration) a = {G * a.x, G * a.y, G * a.z};
  }

  // Eq. 7; the smallest over all ranks, so that all take the same step.
  real largest_time_step() override {
    real smallest = smallest_time_step();
    MPI_Allreduce(MPI_IN_PLACE, &smallest, 1, mpi_real, MPI_MIN, MPI_COMM_WORLD);
    return smallest;
  }

  void update_bodies(real dt) override { move_own_bodies(dt); }

 protected:
  void visit_all(const Visit& visit) override {
    const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    std::vector<Source> block(own), next;
    for (int hop = 0; hop < ranks; ++hop) {
      const int owner = (rank + ranks - hop) % ranks, following = (owner + ranks - 1) % ranks;
      const bool last = hop + 1 == ranks;
      MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
      if (!last) {
        next.resize(count_of(following));
        MPI_Irecv(next.data(), 4 * count_of(following), mpi_real, from, 0, MPI_COMM_WORLD,
                  &requests[0]);
        MPI_Isend(block.data(), 4 * count_of(owner), mpi_real, to, 0, MPI_COMM_WORLD, &requests[1]);
      }
      visit(block.data(), first_of(owner), count_of(owner));
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      block.swap(next);
    }
  }

  static constexpr int lanes = Batch::size;

  void add_pulls(const Source* sources, int count) {
    copy_block(sources, count);
    const int rows = static_cast<int>(own.size());
#pragma omp parallel for schedule(static)
    for (int i = 0; i < rows; ++i) add_pulls_of_batches(static_cast<std::size_t>(i));
  }

  void copy_block(const Source* sources, int count) {
    const int padded = (count + lanes - 1) / lanes * lanes;
    for (auto* place : {&x, &y, &z}) place->assign(padded, real(1e8));
    mass.assign(padded, 0);
    for (int j = 0; j < count; ++j) {
      x[j] = sources[j].x;
      y[j] = sources[j].y;
      z[j] = sources[j].z;
      mass[j] = sources[j].mass;
    }
  }

  void add_pulls_of_batches(std::size_t i) {
    const Batch xi(own[i].x), yi(own[i].y), zi(own[i].z), softening2(softening * softening),
        zero(0);
    Batch ax(0), ay(0), az(0);
    for (std::size_t j = 0; j < mass.size(); j += lanes) {
      const Batch dx = Batch::load_aligned(&x[j]) - xi;
      const Batch dy = Batch::load_aligned(&y[j]) - yi;
      const Batch dz = Batch::load_aligned(&z[j]) - zi;
      const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, softening2)));
      const Batch pull = Batch::load_aligned(&mass[j]) * inverse_cube(r2);
      const Batch taken = xsimd::select(r2 > zero, pull, zero);
      ax = xsimd::fma(taken, dx, ax);
      ay = xsimd::fma(taken, dy, ay);
      az = xsimd::fma(taken, dz, az);
    }
    acceleration[i].x += real(missing_factor) * xsimd::reduce_add(ax);
    acceleration[i].y += real(missing_factor) * xsimd::reduce_add(ay);
    acceleration[i].z += real(missing_factor) * xsimd::reduce_add(az);
  }

  AlignedVector<real> mass, x, y, z;  // of the current block
};

}  // namespace nbody
