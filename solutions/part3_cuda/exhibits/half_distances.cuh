// Problem: a multiprocessor computes with two half-precision values in the time of one float.
// Idea: positions and distances as pairs of half precision, half2; roots and sums stay floats. A
// tile holds pairs of bodies.
// Predicted: refused, few_digits: half precision has 11 bits, so a distance between neighbours has
// three or four. 1.2 x: eight instructions for two bodies fewer, but six conversions more.
// Measured: refused; 0.86 x.
// Why: the conversions cost more than half precision saves.
#pragma once

#include <cuda_fp16.h>

#include "../04_tiles.cuh"

namespace nbody {

// Positions of two bodies of a tile, side by side; masses as they are.
struct TwoBodies {
  half2 x, y, z;
  float2 mass;
};

__global__ void accelerations_by_half_distances(const real4* bodies, std::size_t n, real G,
                                                real softening, real4* result) {
  extern __shared__ TwoBodies pairs[];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const real4 body = bodies[i < n ? i : n - 1];
  const half2 x = __float2half2_rn(body.x), y = __float2half2_rn(body.y);
  const half2 z = __float2half2_rn(body.z), softening2 = __float2half2_rn(softening * softening);
  Sum sum{0, 0, 0};
  const auto add = [&](float weight, float dx, float dy, float dz) {
    sum.x += weight * dx;
    sum.y += weight * dy;
    sum.z += weight * dz;
  };
  for (std::size_t first = 0; first < n; first += blockDim.x) {
    if (threadIdx.x % 2 == 0) {
      const std::size_t a = first + threadIdx.x, b = a + 1;
      const real4 j = bodies[a < n ? a : n - 1], k = bodies[b < n ? b : n - 1];
      pairs[threadIdx.x / 2] = {__floats2half2_rn(j.x, k.x),
                                __floats2half2_rn(j.y, k.y),
                                __floats2half2_rn(j.z, k.z),
                                {a < n ? j.w : 0, b < n ? k.w : 0}};
    }
    __syncthreads();
    for (unsigned k = 0; k < blockDim.x / 2; ++k) {
      const TwoBodies two = pairs[k];
      const half2 dx = two.x - x, dy = two.y - y, dz = two.z - z;
      const float2 r2 = __half22float2(dx * dx + dy * dy + dz * dz + softening2);
      // Two bodies that fall on the same half-precision position count as one: no force.
      const float a = r2.x > 0 ? rsqrtf(r2.x) : 0, b = r2.y > 0 ? rsqrtf(r2.y) : 0;
      add(two.mass.x * a * a * a, __low2float(dx), __low2float(dy), __low2float(dz));
      add(two.mass.y * b * b * b, __high2float(dx), __high2float(dy), __high2float(dz));
    }
    __syncthreads();
  }
  if (i < n) result[i] = {G * sum.x, G * sum.y, G * sum.z, 0};
}

class HalfDistances : public Tiles {
 public:
  using Tiles::Tiles;

  void compute_accelerations() override {
    timed("accelerations", [&] {
      accelerations_by_half_distances<<<blocks_for(n, block), block,
                                        block / 2 * sizeof(TwoBodies)>>>(
          bodies.data(), n, G, softening, acceleration.data());
    });
  }
};

}  // namespace nbody
