// Problem: tiles needs shared memory and two barriers for each tile, where fast warps wait for slow
// ones.
// Idea: a warp is a thread block of its own. Each lane loads one of 32 bodies, and in 32 turns
// passes it to all others by __shfl_sync: no shared memory, no barrier.
// Predicted: 0.84 x, since 16.25 instructions become 19.25: a shuffle moves four bytes, a load from
// shared memory sixteen.
// Measured: 0.694 x.
// Why: 22.1 instructions, since each turn also adds 1 to the lane's number, which a load has as its
// offset, and a tile has 32 bodies, not 256. They alone would give 0.74 x; besides, 1.9 warps wait
// for shuffles and roots at each instruction issued instead of 1.2 (ncu:
// data/results/part3_profiler.json). third_law passes sums: three shuffles serve nine pairs.
#pragma once

#include "../04_tiles.cuh"

namespace nbody {

__device__ inline real4 of_lane(const real4& own, unsigned lane) {
  const auto pass = [&](real x) { return __shfl_sync(0xffffffff, x, lane); };
  return {pass(own.x), pass(own.y), pass(own.z), pass(own.w)};
}

__global__ void accelerations_by_shuffles(const real4* bodies, std::size_t n, real G,
                                          real softening, real4* result) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  // Lanes beyond the last body pass on what others loaded; what they add up is not kept.
  const real4 body = bodies[i < n ? i : n - 1];
  Sum sum{0, 0, 0};
  for (std::size_t first = 0; first < n; first += 32) {
    const real4 own = bodies[first + lane < n ? first + lane : n - 1];
    const unsigned size = n - first < 32 ? static_cast<unsigned>(n - first) : 32;
    // Only among the warp's own bodies is a thread its own body j.
    if (first == i - lane) {
      for (unsigned k = 0; k < size; ++k) {
        const real4 j = of_lane(own, k);  // before the branch: all lanes take part
        if (k != lane) sum.add(body, j, softening * softening);
      }
    } else {
      for (unsigned k = 0; k < size; ++k) sum.add(body, of_lane(own, k), softening * softening);
    }
  }
  if (i < n) result[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
}

class Shuffles : public Tiles {
 public:
  static constexpr std::array block_sizes = {256u, 32u, 64u, 128u, 512u, 1024u};  // whole warps

  using Tiles::Tiles;

  void compute_accelerations() override {
    timed("accelerations", [&] {
      accelerations_by_shuffles<<<blocks_for(n, block), block>>>(bodies.data(), n, G, softening,
                                                                 acceleration.data());
    });
  }
};

}  // namespace nbody
