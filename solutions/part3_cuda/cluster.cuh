#pragma once

#include <cooperative_groups.h>

#include "grid_sync.cuh"

namespace nbody {

constexpr unsigned blocks_of_cluster = 8, threads_of_cluster_block = 1024;
constexpr unsigned warps_of_cluster = blocks_of_cluster * threads_of_cluster_block / 32;
constexpr unsigned bodies_of_cluster = 1024;

// All steps of up to 1024 bodies. Every block holds all bodies in its own shared memory; a warp
// that has moved a body writes it into the memory of all eight blocks.
__global__ __launch_bounds__(threads_of_cluster_block) void steps_in_cluster(
    real4* bodies, real4* velocity, real4* acceleration, unsigned n, real G, real softening,
    std::uint64_t steps, real dt) {
#if __CUDA_ARCH__ >= 900
  const auto cluster = cooperative_groups::this_cluster();
  __shared__ real4 position[2][bodies_of_cluster], own_velocity[bodies_of_cluster];
  const unsigned lane = threadIdx.x % 32, thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = threadIdx.x; k < n; k += blockDim.x) {
    position[0][k] = bodies[k];
    own_velocity[k] = velocity[k];  // of bodies of this block's warps; the others are not used
  }
  cluster.sync();
  for (std::uint64_t step = 0; step < steps; ++step) {
    const real4* now = position[step % 2];
    real4* next = position[(step + 1) % 2];
    for (unsigned i = thread / 32; i < n; i += warps_of_cluster) {
      real4 q = now[i], v = own_velocity[i];
      const Sum sum = pull_by_warp(now, n, i, softening * softening);
      __syncwarp();  // no lane writes the velocity before all have read it
      const real4 pull{G * sum.x, G * sum.y, G * sum.z, 0};
      move_body(q, v, pull, dt);
      if (lane < blocks_of_cluster) cluster.map_shared_rank(next, lane)[i] = q;
      if (lane == 0) own_velocity[i] = v;
      if (lane == 0 && step + 1 == steps) {
        bodies[i] = q;
        velocity[i] = v;
        acceleration[i] = pull;
      }
    }
    cluster.sync();
  }
#endif
}

// Exhibit: a barrier of eight neighbours.
// Problem: grid.sync() waits for the whole GPU, through memory.
// Idea: a thread block cluster (compute capability 9): eight blocks on neighbouring
// multiprocessors write into each other's shared memory and have a barrier of their own.
// Changed: advance, up to 1024 bodies and for fixed steps. Two arrays of bodies: one barrier a step
// is enough.
// Predicted: with 256 bodies 2.5 x grid_sync; with 1024 0.5 x, since eight multiprocessors of 132
// compute. Measured: 1.5 x and 0.33 x.
class Cluster : public GridSync {
 public:
  using GridSync::GridSync;

  double advance(std::uint64_t count, const StepRule& rule) override {
    if (rule.adaptive || count == 0 || n > bodies_of_cluster || !has_clusters) {
      return GridSync::advance(count, rule);
    }
    cudaLaunchAttribute size{};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim = {blocks_of_cluster, 1, 1};
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(blocks_of_cluster);
    launch.blockDim = dim3(threads_of_cluster_block);
    launch.attrs = &size;
    launch.numAttrs = 1;
    timed("all steps", [&] {
      cuda_check(cudaLaunchKernelEx(&launch, steps_in_cluster, bodies.data(), velocity.data(),
                                    acceleration.data(), static_cast<unsigned>(n), G, softening,
                                    count, static_cast<real>(rule.dt)));
    });
    cuda_check(cudaDeviceSynchronize());
    return static_cast<double>(count) * rule.dt;
  }

 private:
  bool has_clusters = device_attribute(cudaDevAttrClusterLaunch) != 0;
};

}  // namespace nbody
