#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "simulator/real.hpp"

namespace nbody {

// Four numbers that one load moves (two in double): position and mass of a body, for example.
struct alignas(16) real4 {
  real x, y, z, w;
};

struct real3 {
  real x, y, z;
};

// The sums of a body i: Eq. 1-3 without G, word for word except rsqrt.
struct Sum {
  real x, y, z;

  __device__ void add(const real4& i, const real4& j, real softening2) {
    const real dx = j.x - i.x;
    const real dy = j.y - i.y;
    const real dz = j.z - i.z;
    const real r2 = dx * dx + dy * dy + dz * dz + softening2;
    const real inverse_r = rsqrt(r2);
    const real weight = j.w * inverse_r * inverse_r * inverse_r;
    x += weight * dx;
    y += weight * dy;
    z += weight * dz;
  }
};

// Eq. 5 with the old velocity, then Eq. 4. Three: of three numbers or more, of which three count.
template <typename Three>
__device__ void move_body(real4& q, Three& v, const Three& a, real dt) {
  q.x += v.x * dt + a.x * dt * dt / 2;
  q.y += v.y * dt + a.y * dt * dt / 2;
  q.z += v.z * dt + a.z * dt * dt / 2;
  v.x += a.x * dt;
  v.y += a.y * dt;
  v.z += a.z * dt;
}

// One of the tiles of n bodies, as large as a block: the one that starts at `first`.
__device__ inline unsigned size_of_tile(std::size_t first, std::size_t n) {
  return n - first < blockDim.x ? static_cast<unsigned>(n - first) : blockDim.x;
}

}  // namespace nbody
