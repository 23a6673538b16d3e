// Problem: "neighbouring threads must read neighbouring values" (coalescing); float4 does not.
// Idea: one array for each field, as in part 2, made from the float4 before each loop: n steps
// against n^2.
// Predicted: 0.78 x, with four loads again and 22.5 instructions.
// Measured: 0.971 x.
// Why: all threads of a warp read the same body j: there is nothing to coalesce. It loses little
// because float4 leaves 42 % of its issue slots empty, mostly waiting for loads (ncu). Here the
// four loads of a body wait together, and more instructions fill the time.
#pragma once

#include "../03_float4.cuh"

namespace nbody {

// x, y, z and mass of all bodies, one array after the other.
__global__ void split_into_arrays(const real4* bodies, std::size_t n, real* arrays) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const real4 body = bodies[i];
  arrays[i] = body.x;
  arrays[i + n] = body.y;
  arrays[i + 2 * n] = body.z;
  arrays[i + 3 * n] = body.w;
}

__global__ void accelerations_of_arrays(const real* x, std::size_t n, real G, real softening,
                                        real4* result) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const real *y = x + n, *z = y + n, *mass = z + n;
  const real4 body{x[i], y[i], z[i], mass[i]};
  Sum sum{0, 0, 0};
  for (std::size_t j = 0; j < n; ++j) {
    if (i != j) sum.add(body, {x[j], y[j], z[j], mass[j]}, softening * softening);
  }
  result[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
}

class StructureOfArrays : public Float4 {
 public:
  explicit StructureOfArrays(const Problem& problem) : Float4(problem), arrays(4 * n) {}

  void compute_accelerations() override {
    const unsigned blocks = blocks_for(n, block);
    timed("split_into_arrays",
          [&] { split_into_arrays<<<blocks, block>>>(bodies.data(), n, arrays.data()); });
    timed("accelerations", [&] {
      accelerations_of_arrays<<<blocks, block>>>(arrays.data(), n, G, softening,
                                                 acceleration.data());
    });
  }

 private:
  DeviceArray<real> arrays;
};

}  // namespace nbody
