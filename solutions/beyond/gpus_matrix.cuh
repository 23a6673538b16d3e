#pragma once

#include "matrix_mma_kernel.cuh"
#include "matrix_rung.cuh"
#include "../part4_mpi/06_gpus_nccl.cuh"

namespace nbody {

// Problem: gpus_nccl is at the limit of the float units of all its GPUs.
// Idea: the matrix units of all GPUs. Every GPU has the same positions, so all sort and cut them
// into the same tiles; of the tasks, a tile and a group of others, each takes every P-th.
// Changed: this GPU's pulls, where bodies are many; owners, sums and positions as in gpus_nccl.
// Predicted: 1.7 x gpus_nccl with a million bodies, as matrix_mma was 1.69 x third_law on one H100.
// Measured on two H200: 1.82 x, 11 x 10^12 interactions per second; with 262144 bodies 1.65 x, with
// 65536 1.38 x.
class GpusMatrix : public GpusNccl {
 public:
  explicit GpusMatrix(const Problem& problem) : GpusNccl(problem), by_matrices(problem, gpu) {}

 protected:
  void launch_own_pulls(bool neighbours) override {
    if (neighbours || !by_matrices.suits()) return GpusNccl::launch_own_pulls(neighbours);
    by_matrices.launch(bodies.view(), acceleration.view(), stream);
  }

 private:
  MatrixForces<MmaSums> by_matrices;
};

}  // namespace nbody
