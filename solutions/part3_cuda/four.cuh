#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace nbody {

// Four numbers that one load moves (two in double): position and mass of a body, say.
template <typename T>
struct alignas(16) Four {
  T x, y, z, w;
};

// What adds up for a body i: Eq. 1-3 without G, word for word but for rsqrt.
template <typename T>
struct Sum {
  T x, y, z;

  __device__ void add(const Four<T>& i, const Four<T>& j, T softening2) {
    const T dx = j.x - i.x;
    const T dy = j.y - i.y;
    const T dz = j.z - i.z;
    const T r2 = dx * dx + dy * dy + dz * dz + softening2;
    const T inverse_r = rsqrt(r2);
    const T pull = j.w * inverse_r * inverse_r * inverse_r;
    x += pull * dx;
    y += pull * dy;
    z += pull * dz;
  }
};

// The shared memory that a launch asks for by its third argument.
template <typename T>
__device__ T* shared_memory() {
  extern __shared__ double2 all_of_it[];
  return reinterpret_cast<T*>(all_of_it);
}

// Of n bodies in tiles of a block's threads, the one that starts at `first`.
__device__ inline unsigned size_of_tile(std::size_t first, std::size_t n) {
  return n - first < blockDim.x ? static_cast<unsigned>(n - first) : blockDim.x;
}

}  // namespace nbody
