#pragma once

#include "float4.cuh"

namespace nbody {

template <typename T, unsigned unroll>
__global__ void accelerations_unrolled(const Four<T>* bodies, std::size_t n, T G, T softening,
                                       Four<T>* result) {
  Four<T>* tile = shared_memory<Four<T>>();
  const std::size_t own_tile = std::size_t{blockIdx.x} * blockDim.x;
  const std::size_t i = own_tile + threadIdx.x;
  const Four<T> body = bodies[i < n ? i : n - 1];
  Sum<T> sum{T(0), T(0), T(0)};
  for (std::size_t first = 0; first < n; first += blockDim.x) {
    if (first + threadIdx.x < n) tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    const unsigned size = size_of_tile(first, n);
    if (first == own_tile) {
      for (unsigned k = 0; k < size; ++k) {
        if (k != threadIdx.x) sum.add(body, tile[k], softening * softening);
      }
    } else {
#pragma unroll unroll
      for (unsigned k = 0; k < size; ++k) sum.add(body, tile[k], softening * softening);
    }
    __syncthreads();
  }
  if (i < n) result[i] = {G * sum.x, G * sum.y, G * sum.z, T(0)};
}

// Problem: of the instructions of an interaction, some only count and jump.
// Idea: several interactions a turn, --unroll of them; the compiler writes them out.
// Changed: one pragma, whose number is a parameter of the kernel.
// Predicted for 8: 1.04 x tiles, 16.25 instructions become 15.6; the compiler had unrolled by 4.
// Measured: 1.04 x. --unroll 1, 2, 4, 16, 32 give 0.80, 0.92, 1.00, 1.07, 1.08 x tiles.
template <typename T>
class Unrolled : public Float4<T> {
 public:
  static constexpr std::array unrolls = {8u, 1u, 2u, 4u, 16u, 32u};

  explicit Unrolled(const Problem<T>& problem)
      : Float4<T>(problem), kernel(kernel_for(problem.tuning.unroll)) {}

  void compute_accelerations() override {
    timed("accelerations", [&] {
      kernel<<<blocks_for(this->n(), this->block), this->block, this->block * sizeof(Four<T>)>>>(
          this->bodies.data(), this->n(), this->G, this->softening, this->acceleration.data());
    });
  }

 private:
  using Kernel = void (*)(const Four<T>*, std::size_t, T, T, Four<T>*);

  static Kernel kernel_for(unsigned unroll) {
    switch (unroll) {
      case 1:
        return accelerations_unrolled<T, 1>;
      case 2:
        return accelerations_unrolled<T, 2>;
      case 4:
        return accelerations_unrolled<T, 4>;
      case 16:
        return accelerations_unrolled<T, 16>;
      case 32:
        return accelerations_unrolled<T, 32>;
      default:
        return accelerations_unrolled<T, 8>;
    }
  }

  Kernel kernel;
};

}  // namespace nbody
