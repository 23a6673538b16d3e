#pragma once

#include "arrays.cuh"
#include "cuda/geometry.hpp"
#include "hilbert.hpp"
#include "sorter.cuh"
#include "warp_reduce.cuh"

namespace nbody {

// A cube around all bodies.
struct Cube {
  float low[3], edge;
};

constexpr int cube_threads = 1024;

// One block.
__global__ void find_cube(Arrays bodies, std::size_t n, Cube* cube) {
  __shared__ float of_warp[cube_threads / 32];
  const float* axes[3] = {bodies.x, bodies.y, bodies.z};
  float edge = 0;
  for (int k = 0; k < 3; ++k) {
    float low = axes[k][0], high = low;
    for (std::size_t i = threadIdx.x; i < n; i += cube_threads) {
      low = fminf(low, axes[k][i]);
      high = fmaxf(high, axes[k][i]);
    }
    low = over_block<cube_threads>(low, of_warp, [](float a, float b) { return fminf(a, b); });
    high = over_block<cube_threads>(high, of_warp, [](float a, float b) { return fmaxf(a, b); });
    edge = fmaxf(edge, high - low);
    if (threadIdx.x == 0) cube->low[k] = low;
  }
  if (threadIdx.x == 0) cube->edge = edge;
}

constexpr int cells_bits = 20;
constexpr std::uint64_t after_all = std::uint64_t{1} << (3 * cells_bits);

__device__ inline std::uint32_t cell_of(float x, float low, float edge) {
  constexpr float cells = 1 << cells_bits;
  return edge > 0 ? static_cast<std::uint32_t>(fminf((x - low) / edge * cells, cells - 1)) : 0;
}

// Bodies heavier than `heavy` come after all others.
__global__ void find_keys(Arrays bodies, std::size_t n, const Cube* cube, float heavy,
                          std::uint64_t* key, unsigned* number) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint64_t place =
      hilbert_key(cell_of(bodies.x[i], cube->low[0], cube->edge),
                  cell_of(bodies.y[i], cube->low[1], cube->edge),
                  cell_of(bodies.z[i], cube->low[2], cube->edge), cells_bits);
  key[i] = place + (bodies.w[i] > heavy ? after_all : 0);
  number[i] = static_cast<unsigned>(i);
}

// The bodies along a Hilbert curve.
class NearOrder {
 public:
  explicit NearOrder(std::size_t n) : n(n), sorter(n), cube(1) {}

  void sort(const Arrays& bodies, float heavy, cudaStream_t stream) {
    constexpr unsigned block = 256;
    find_cube<<<1, cube_threads, 0, stream>>>(bodies, n, cube.data());
    find_keys<<<blocks_for(n, block), block, 0, stream>>>(bodies, n, cube.data(), heavy,
                                                          sorter.key(), sorter.number());
    sorter.sort(stream);
  }
  // Place k holds the body with this number.
  const unsigned* numbers() const { return sorter.sorted_numbers(); }

 private:
  std::size_t n;
  Sorter<std::uint64_t> sorter;
  DeviceArray<Cube> cube;
};

}  // namespace nbody
