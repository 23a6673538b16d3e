#pragma once

#include "../part3_cuda/third_law.cuh"
#include "mpi/mpi_simulator.hpp"

namespace nbody {

// The ranks of a host take its GPUs in turn. Several may share one: right, but no faster.
inline OneGpu gpu_of_rank() {
  int ranks = 1, rank = 0, number = 0, gpus = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &number);
  MPI_Comm_free(&host);
  cuda_check(cudaGetDeviceCount(&gpus));
  cuda_check(cudaSetDevice(number % gpus));
  return {rank, ranks};
}

// Problem: one GPU is fully used.
// Idea: every GPU holds all bodies, which are small, and takes an equal share of the pairs; part
// 3's third_law already divides them into shares. One MPI_Allreduce adds the results, 12 bytes per
// body, and every rank moves all bodies. This needs the same bits on all ranks, which the usual
// libraries deliver. A GPU needs 1.4 ms for the pairs of 65536 bodies in float; their sums are 0.8
// MB.
class Gpus : public ThirdLaw {
 public:
  explicit Gpus(const Problem& problem) : ThirdLaw(problem, gpu_of_rank()) {
    cuda_check(cudaMallocHost(&on_host, 4 * bytes()));
  }
  ~Gpus() override { cudaFreeHost(on_host); }
  Gpus(const Gpus&) = delete;
  Gpus& operator=(const Gpus&) = delete;

 protected:
  void launch_accelerations(bool neighbours) override {
    ThirdLaw::launch_accelerations(neighbours);
    add_of_all_ranks(acceleration.view(), neighbours);
  }

  // x, y and z are contiguous and are added; of w, the distances, the smallest counts.
  virtual void add_of_all_ranks(Arrays found, bool neighbours) {
    if (gpu.of == 1) return;
    const int count = static_cast<int>(n);
    const std::size_t used = (neighbours ? 4 : 3) * bytes();
    cuda_check(cudaMemcpy(on_host, found.x, used, cudaMemcpyDeviceToHost));
    MPI_Allreduce(MPI_IN_PLACE, on_host, 3 * count, mpi_real, MPI_SUM, MPI_COMM_WORLD);
    if (neighbours) {
      MPI_Allreduce(MPI_IN_PLACE, on_host + 3 * n, count, mpi_real, MPI_MIN, MPI_COMM_WORLD);
    }
    cuda_check(cudaMemcpy(found.x, on_host, used, cudaMemcpyHostToDevice));
  }

 private:
  std::size_t bytes() const { return n * sizeof(real); }

  real* on_host = nullptr;  // page-locked: copies to and from it are faster
};

}  // namespace nbody
