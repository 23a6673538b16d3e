#pragma once

#include "float4.cuh"

namespace nbody {

// x, y, z and mass of all bodies, one array behind the other.
template <typename T>
__global__ void take_apart(const Four<T>* bodies, std::size_t n, T* arrays) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Four<T> body = bodies[i];
  arrays[i] = body.x;
  arrays[i + n] = body.y;
  arrays[i + 2 * n] = body.z;
  arrays[i + 3 * n] = body.w;
}

template <typename T>
__global__ void accelerations_of_arrays(const T* x, std::size_t n, T G, T softening,
                                        Four<T>* result) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T *y = x + n, *z = y + n, *mass = z + n;
  const Four<T> body{x[i], y[i], z[i], mass[i]};
  Sum<T> sum{T(0), T(0), T(0)};
  for (std::size_t j = 0; j < n; ++j) {
    if (i != j) sum.add(body, {x[j], y[j], z[j], mass[j]}, softening * softening);
  }
  result[i] = {G * sum.x, G * sum.y, G * sum.z, T(0)};
}

// Exhibit: a rule from the processor that does not hold here.
// Problem: "neighbouring threads must read neighbouring numbers" (coalescing).
// Idea: one array for each number, as in part 2.
// Changed: four arrays, made from the fours before each loop: n against n^2.
// Predicted: 0.78 x float4, four loads again and 22.5 instructions. Measured: 0.96 x. All threads
// of a warp read the same body j: there is nothing to coalesce. Why it loses so little is not
// known.
template <typename T>
class StructureOfArrays : public Float4<T> {
 public:
  explicit StructureOfArrays(const Problem<T>& problem)
      : Float4<T>(problem), arrays(4 * this->n()) {}

  void compute_accelerations() override {
    const std::size_t n = this->n();
    const unsigned blocks = blocks_for(n, this->block);
    timed("take_apart",
          [&] { take_apart<<<blocks, this->block>>>(this->bodies.data(), n, arrays.data()); });
    timed("accelerations", [&] {
      accelerations_of_arrays<<<blocks, this->block>>>(arrays.data(), n, this->G, this->softening,
                                                       this->acceleration.data());
    });
  }

 private:
  DeviceArray<T> arrays;
};

}  // namespace nbody
