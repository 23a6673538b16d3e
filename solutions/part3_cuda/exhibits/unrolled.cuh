#pragma once

#include "../04_tiles.cuh"

namespace nbody {

template <unsigned unroll>
__global__ void accelerations_unrolled(const real4* bodies, std::size_t n, real G, real softening,
                                       real4* result) {
  extern __shared__ real4 tile[];  // the third argument of the launch says how large
  const std::size_t own_tile = std::size_t{blockIdx.x} * blockDim.x;
  const std::size_t i = own_tile + threadIdx.x;
  // Threads beyond the last body load and wait with the others; what they add up is not kept.
  const real4 body = bodies[i < n ? i : n - 1];
  Sum sum{0, 0, 0};
  for (std::size_t first = 0; first < n; first += blockDim.x) {
    if (first + threadIdx.x < n) tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();  // no thread reads before all have written
    const unsigned size = size_of_tile(first, n);
    // Only in the tile of its own bodies can a thread meet itself.
    if (first == own_tile) {
      for (unsigned k = 0; k < size; ++k) {
        if (k != threadIdx.x) sum.add(body, tile[k], softening * softening);
      }
    } else {
#pragma unroll unroll
      for (unsigned k = 0; k < size; ++k) sum.add(body, tile[k], softening * softening);
    }
    __syncthreads();  // no thread writes the next tile before all have read this one
  }
  if (i < n) result[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
}

// Problem: some instructions of an interaction only count and jump.
// Idea: --unroll interactions per iteration; the compiler unrolls the loop.
// Changed: one pragma, whose number is a parameter of the kernel.
// Predicted for 8: 1.04 x tiles, 16.25 instructions become 15.6; the compiler had unrolled by 4.
// Measured: 1.04 x. With 262144 bodies --unroll 1, 2, 4, 8, 16, 32 give 0.84, 0.93, 1.00, 1.04,
// 1.05, 1.07 x tiles.
class Unrolled : public Tiles {
 public:
  static constexpr std::array unrolls = {8u, 1u, 2u, 4u, 16u, 32u};

  explicit Unrolled(const Problem& problem)
      : Tiles(problem), kernel(kernel_for(problem.tuning.unroll)) {}

  void compute_accelerations() override {
    timed("accelerations", [&] {
      kernel<<<blocks_for(n, block), block, block * sizeof(real4)>>>(bodies.data(), n, G, softening,
                                                                     acceleration.data());
    });
  }

 private:
  using Kernel = void (*)(const real4*, std::size_t, real, real, real4*);

  static Kernel kernel_for(unsigned unroll) {
    switch (unroll) {
      case 1:
        return accelerations_unrolled<1>;
      case 2:
        return accelerations_unrolled<2>;
      case 4:
        return accelerations_unrolled<4>;
      case 16:
        return accelerations_unrolled<16>;
      case 32:
        return accelerations_unrolled<32>;
      default:
        return accelerations_unrolled<8>;
    }
  }

  Kernel kernel;
};

}  // namespace nbody
