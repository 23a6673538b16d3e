#pragma once

#include <algorithm>
#include <vector>

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
// 3's third_law already divides them into shares. The results are added, 12 bytes per body, and
// every rank moves all bodies. This needs the same bits on all ranks: MPI does not promise them for
// a sum by MPI_Allreduce, so each rank adds up its share of the numbers, and all get the result. A
// GPU needs 1.4 ms for the pairs of 65536 bodies in float; their sums are 0.8 MB.
class Gpus : public ThirdLaw {
 public:
  explicit Gpus(const Problem& problem)
      : ThirdLaw(problem, gpu_of_rank()), sums(rounded_up(3 * n, gpu.of) / gpu.of) {
    cuda_check(cudaMallocHost(&on_host, (padded() + n) * sizeof(real)));
    std::fill(on_host, on_host + padded(), real(0));
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
    const std::size_t numbers = 3 * n * sizeof(real);
    const int share = static_cast<int>(sums.size());
    cuda_check(cudaMemcpy(on_host, found.x, numbers, cudaMemcpyDeviceToHost));
    MPI_Reduce_scatter_block(on_host, sums.data(), share, mpi_real, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(sums.data(), share, mpi_real, on_host, share, mpi_real, MPI_COMM_WORLD);
    cuda_check(cudaMemcpy(found.x, on_host, numbers, cudaMemcpyHostToDevice));
    if (neighbours) find_nearest_of_all_ranks(found.w);
  }

 private:
  // x, y and z of all bodies, so that every rank adds up equally many.
  std::size_t padded() const { return sums.size() * static_cast<std::size_t>(gpu.of); }

  // The smallest is one of them, whatever the order.
  void find_nearest_of_all_ranks(real* nearest) {
    real* const copy = on_host + padded();
    const int count = static_cast<int>(n);
    cuda_check(cudaMemcpy(copy, nearest, n * sizeof(real), cudaMemcpyDeviceToHost));
    MPI_Allreduce(MPI_IN_PLACE, copy, count, mpi_real, MPI_MIN, MPI_COMM_WORLD);
    cuda_check(cudaMemcpy(nearest, copy, n * sizeof(real), cudaMemcpyHostToDevice));
  }

  std::vector<real> sums;   // that this rank adds up
  real* on_host = nullptr;  // page-locked: copies to and from it are faster
};

}  // namespace nbody
