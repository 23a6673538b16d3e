// Problem: one GPU is fully used.
// Idea: every GPU holds all bodies, which are small, and computes an equal part of the pairs, as
// part 3's third_law divides them. But every body has one owner: its GPU gets the sum of all
// accelerations of it (MPI_Reduce_scatter_block), moves it, and sends its position to all
// (MPI_Allgather), 12 bytes per body each way. No two GPUs compute the same number, so none can
// differ, in whatever order MPI adds.
// Predicted: 1.9 x third_law on one GPU, on two with a million bodies.
// Measured: 1.91 x third_law; 1.70 x with 262144 bodies, 1.06 x with 65536.
// Why: with 65536 bodies a step of third_law takes 1.4 ms, half of it 0.7, and 0.8 MB of sums wait
// for the copies to the host, for MPI, and for the copies back.
#pragma once

#include <algorithm>
#include <vector>

#include "../../part3_cuda/09_third_law.cuh"
#include "mpi/mpi_simulator.hpp"

namespace nbody {

// The ranks of a node take its GPUs in turn. Several may share one: right, but no faster.
inline OneGpu gpu_of_rank() {
  int ranks = 1, rank = 0, number = 0, gpus = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &number);
  MPI_Comm_free(&node);
  cuda_check(cudaGetDeviceCount(&gpus));
  cuda_check(cudaSetDevice(number % gpus));
  // How the pairs are divided depends on the GPU, and must be the same on all.
  int processors = 0, least_and_most[2];
  cuda_check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, number % gpus));
  const int mine[2] = {-processors, processors};
  MPI_Allreduce(mine, least_and_most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (-least_and_most[0] != least_and_most[1]) {
    throw DeviceError("the GPUs of the ranks differ: choose equal ones with CUDA_VISIBLE_DEVICES");
  }
  return {rank, ranks};
}

class Gpus : public ThirdLaw {
 public:
  explicit Gpus(const Problem& problem)
      : ThirdLaw(problem, gpu_of_rank()), owned(blocks_for(n, static_cast<unsigned>(gpu.of))) {
    const std::size_t begin = std::min(n, first());
    own = {begin, std::min(n, begin + owned) - begin};
    acceleration = DeviceArrays(padded(), real(0), {});
    cuda_check(cudaMallocHost(&on_host, padded() * sizeof(real)));
  }
  ~Gpus() override { cudaFreeHost(on_host); }
  Gpus(const Gpus&) = delete;
  Gpus& operator=(const Gpus&) = delete;

  void drift(real dt) override {
    ThirdLaw::drift(dt);
    if (gpu.of > 1) send_positions(bodies.view());
  }
  // Every GPU has all positions, but only the owners' velocities and accelerations are right.
  void copy_state(Bodies<real>& state) const override {
    ThirdLaw::copy_state(state);
    for (auto* column : {&state.vx, &state.vy, &state.vz}) take_from_owners(*column);
  }
  void copy_accelerations(Vectors<real>& to) const override {
    ThirdLaw::copy_accelerations(to);
    for (auto* column : {&to.x, &to.y, &to.z}) take_from_owners(*column);
  }

 protected:
  void launch_accelerations(bool neighbours) override {
    launch_own_pulls(neighbours);
    if (gpu.of > 1) add_for_owners(acceleration.view(), neighbours);
  }
  void launch_time_steps() override {
    constexpr real none = no_neighbour;
    if (own.count > 0) {
      ThirdLaw::launch_time_steps();
    } else {
      cuda_check(cudaMemcpy(smallest_step(), &none, sizeof none, cudaMemcpyHostToDevice));
    }
    if (gpu.of > 1) find_smallest(smallest_step());
  }
  void launch_update(const StepRule& rule) override {
    ThirdLaw::launch_update(rule);
    if (gpu.of > 1) send_positions(bodies.view());
  }

  // Of all bodies, by this GPU's part of the pairs.
  virtual void launch_own_pulls(bool neighbours) { ThirdLaw::launch_accelerations(neighbours); }

  // Of x, y and z the sums, of w, the distances, the smallest: each owner gets those of its bodies.
  virtual void add_for_owners(Arrays found, bool neighbours) {
    for (real* values : {found.x, found.y, found.z}) reduce(values, MPI_SUM);
    if (neighbours) reduce(found.w, MPI_MIN);
  }
  virtual void send_positions(Arrays moved) {
    for (real* values : {moved.x, moved.y, moved.z}) gather(values);
  }
  virtual void find_smallest(real* step) {
    real smallest = 0;
    copy(&smallest, step, 1);
    MPI_Allreduce(MPI_IN_PLACE, &smallest, 1, mpi_real, MPI_MIN, MPI_COMM_WORLD);
    copy(step, &smallest, 1);
  }

  // Bodies of each owner. Both calls want the same number from all, so the last partitions end
  // among the padding bodies, or lie there: these have no mass, and nobody moves them.
  const std::size_t owned;
  std::size_t first() const { return owned * static_cast<std::size_t>(gpu.number); }
  std::size_t padded() const { return owned * static_cast<std::size_t>(gpu.of); }

 private:
  void reduce(real* values, MPI_Op operation) {
    copy(on_host, values, padded());
    MPI_Reduce_scatter_block(MPI_IN_PLACE, on_host, static_cast<int>(owned), mpi_real, operation,
                             MPI_COMM_WORLD);
    copy(values + first(), on_host, owned);
  }
  void gather(real* values) {
    copy(on_host + first(), values + first(), owned);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, on_host, static_cast<int>(owned), mpi_real,
                  MPI_COMM_WORLD);
    copy(values, on_host, padded());
  }
  static void copy(real* to, const real* from, std::size_t count) {
    cuda_check(cudaMemcpy(to, from, count * sizeof(real), cudaMemcpyDefault));
  }

  void take_from_owners(std::vector<real>& column) const {
    column.resize(padded());
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, column.data(), static_cast<int>(owned),
                  mpi_real, MPI_COMM_WORLD);
    column.resize(n);
  }

  real* on_host = nullptr;  // page-locked: copies to and from it are faster
};

}  // namespace nbody
