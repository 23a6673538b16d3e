// Problem: gpus_nccl is at the limit of the float units of all its GPUs.
// Idea: the tensor cores of all GPUs. Every GPU has the same positions, so all sort and cut them
// into the same tiles; of the tasks, a tile and a group of others, each takes every P-th. Owners,
// sums and positions are as in gpus_nccl.
// Predicted: 1.7 x with a million bodies, as matrix_mma was 1.69 x third_law on one GPU.
// Measured: 1.83 x; with 262144 bodies 1.66 x, with 65536 1.38 x.
// Why: with a million bodies matrix_mma has 1.86 x third_law on one of these GPUs, too. With 65536
// it has 1.50 x, and each GPU still sorts all of them.
#pragma once

#include "../part4_mpi/06_gpus_nccl.cuh"
#include "matrix_mma.cuh"

namespace nbody {

class GpusMatrix : public OnTensorCores<MmaProducts, GpusNccl> {
 public:
  using OnTensorCores::OnTensorCores;

 protected:
  void launch_own_pulls(bool neighbours) override {
    if (!suits(neighbours)) return GpusNccl::launch_own_pulls(neighbours);
    launch_products(bodies.view(), acceleration.view());
  }
};

}  // namespace nbody
