// Problem: the compiler's loop needs a root and a division for each interaction. And with one rank
// per core, a node copies every partition once per core.
// Idea: part 2's kernel. A partition is copied into four arrays, padded to whole batches with far
// bodies of zero mass, and the root is an approximation with a Newton step. All bodies i read the
// same partition, so threads may share them (--threads): one rank per node communicates, and only
// its main thread calls MPI.
// Predicted: 2.1 x with one thread per rank, as in part 2.
// Measured: 1.96 x. With 20000 bodies on 16 cores 16 ranks of one thread reach 31.6 x 10^9
// interactions/s, 4 ranks of four 30.6 (data/results/part4_ranks_and_threads.json).
// Why: the kernel alone gains more, but the hops stay as they are.
#pragma once

#include "../part2_vectorization/support/inverse_cube.hpp"
#include "04_ring_overlapped.hpp"
#include "simulator/aligned.hpp"

namespace nbody {

class Batches : public RingOverlapped {
 public:
  using RingOverlapped::RingOverlapped;

 protected:
  static constexpr int lanes = Batch::size;

  void add_accelerations(const Body* partition, int count) override {
    copy_partition(partition, count);
    const int rows = count_of(rank);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < rows; ++i) add_acceleration_of(i);
  }

  void copy_partition(const Body* partition, int count) {
    const int padded = (count + lanes - 1) / lanes * lanes;
    for (auto* coordinate : {&x, &y, &z}) coordinate->assign(padded, real(1e8));
    mass.assign(padded, 0);
    for (int j = 0; j < count; ++j) {
      x[j] = partition[j].x;
      y[j] = partition[j].y;
      z[j] = partition[j].z;
      mass[j] = partition[j].mass;
    }
  }

  void add_acceleration_of(int i) {
    const Batch xi(own[i].x), yi(own[i].y), zi(own[i].z), eps2(softening * softening), zero(0);
    Batch ax(0), ay(0), az(0);
    for (std::size_t j = 0; j < mass.size(); j += lanes) {
      const Batch dx = Batch::load_aligned(&x[j]) - xi;
      const Batch dy = Batch::load_aligned(&y[j]) - yi;
      const Batch dz = Batch::load_aligned(&z[j]) - zi;
      const Batch r2 = xsimd::fma(dx, dx, xsimd::fma(dy, dy, xsimd::fma(dz, dz, eps2)));
      const Batch all = Batch::load_aligned(&mass[j]) * inverse_cube(r2);
      const Batch weight = xsimd::select(r2 > zero, all, zero);  // 0: the body itself
      ax = xsimd::fma(weight, dx, ax);
      ay = xsimd::fma(weight, dy, ay);
      az = xsimd::fma(weight, dz, az);
    }
    acceleration[i].x += real(missing_factor) * xsimd::reduce_add(ax);
    acceleration[i].y += real(missing_factor) * xsimd::reduce_add(ay);
    acceleration[i].z += real(missing_factor) * xsimd::reduce_add(az);
  }

  AlignedVector<real> mass, x, y, z;  // of the current partition
};

}  // namespace nbody
