// Problem: an adaptive step writes the time steps of all bodies into memory, and one or two more
// launches look for the smallest (common/cuda/smallest.cuh).
// Idea: find it where the steps are computed. The lanes of a warp compare theirs, and one of them
// lowers the smallest of all by an atomic operation. A minimum does not depend on the order, so
// two runs give the same bits; an atomic sum would not. The minimum needs a variable that holds a
// large number before; so there are two, and each launch prepares the one of the next.
// Predicted: 1 x with a fixed step, which needs no minimum. With --vdt and 1024 bodies 1.2, since
// four launches do the work of five.
// Measured: 1.00 x. With --vdt 1.42 with 1024 bodies (the rounds spread), 1.14 with 4096, 1.01
// with 131072.
// Why: with few bodies a step takes as long as its launches.
// Limit: issue slots
#pragma once

#include "06_split.cuh"
#include "support/warp_reduce.cuh"

namespace nbody {

// CUDA has atomicMin for whole numbers only. The bits of numbers that are not negative, read as
// whole numbers, have the same order.
__device__ inline void lower(float* smallest, float x) {
  atomicMin(reinterpret_cast<unsigned*>(smallest), __float_as_uint(x));
}
__device__ inline void lower(double* smallest, double x) {
  using Bits = unsigned long long;
  atomicMin(reinterpret_cast<Bits*>(smallest), static_cast<Bits>(__double_as_longlong(x)));
}

// Eq. 7 for each body, and the smallest of all.
__global__ void smallest_time_step(Arrays velocity, Arrays acceleration, std::size_t n,
                                   real* smallest, real* next) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // Threads beyond the last body compare with the others: a warp needs all of its lanes.
  const real own = i < n ? time_step_of(velocity, acceleration, i) : no_neighbour;
  const real of_warp = over_warp(own, [](real a, real b) { return min(a, b); });
  if (threadIdx.x % 32 == 0) lower(smallest, of_warp);
  if (i == 0) *next = no_neighbour;  // for the next launch; nobody reads it any more
}

class AtomicMin : public Split {
 public:
  explicit AtomicMin(const Problem& problem)
      : Split(problem), next(std::vector<real>{no_neighbour}) {}

 protected:
  void launch_time_steps() override {
    std::swap(largest_step, next);
    smallest_time_step<<<blocks_of_own(), block, 0, stream>>>(
        own_of(velocity), own_of(acceleration), own.count, largest_step.data(), next.data());
  }

 private:
  DeviceArray<real> next;
};

}  // namespace nbody
