#pragma once

#include <mma.h>

#include "tiles.cuh"

namespace nbody {

// A block of 128 threads: 4 warps with 16 bodies i each. Of 16 bodies j a warp's matrix units find
// the squared distances to its bodies i,
//
//   r^2 = |a|^2 + |b|^2 - 2 a.b,   a row (x, y, z, |a|^2, 1, 0, 0, 0) times a column.
constexpr unsigned warps_of_block = 4, rows_of_warp = 16;
constexpr unsigned rows_of_block = warps_of_block * rows_of_warp;

struct DistanceSpace {
  alignas(32) float rows[16][8], columns[16][8], r2[16][16];
};

__global__ void accelerations_by_tf32(const real4* bodies, std::size_t n, real G, real softening,
                                      real4* result) {
#if __CUDA_ARCH__ >= 800
  namespace wmma = nvcuda::wmma;
  __shared__ DistanceSpace spaces[warps_of_block];
  DistanceSpace& space = spaces[threadIdx.x / 32];
  const unsigned lane = threadIdx.x % 32, row = lane % 16, half_of_columns = lane / 16;
  const std::size_t first_i =
      std::size_t{blockIdx.x} * rows_of_block + threadIdx.x / 32 * rows_of_warp;
  const auto body = [&](std::size_t k) { return bodies[k < n ? k : n - 1]; };
  const auto square = [](const real4& b) { return b.x * b.x + b.y * b.y + b.z * b.z; };
  const real4 own = body(first_i + row);
  if (lane < 16) {
    const float values[8] = {own.x, own.y, own.z, square(own), 1, 0, 0, 0};
    for (int k = 0; k < 8; ++k) space.rows[lane][k] = wmma::__float_to_tf32(values[k]);
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> rows;
  wmma::load_matrix_sync(rows, space.rows[0], 8);

  Sum sum{0, 0, 0};
  for (std::size_t first_j = 0; first_j < n; first_j += 16) {
    if (lane < 16) {
      const real4 j = body(first_j + lane);
      const float values[8] = {-2 * j.x, -2 * j.y, -2 * j.z, 1, square(j), 0, 0, 0};
      for (int k = 0; k < 8; ++k) space.columns[lane][k] = wmma::__float_to_tf32(values[k]);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> columns;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> r2;
    wmma::load_matrix_sync(columns, space.columns[0], 8);
    wmma::fill_fragment(r2, softening * softening);
    wmma::mma_sync(r2, rows, columns, r2);
    wmma::store_matrix_sync(space.r2[0], r2, 16, wmma::mem_row_major);
    __syncwarp();
    // Each lane adds up for one body i over eight of the bodies j.
    for (unsigned k = 8 * half_of_columns; k < 8 * half_of_columns + 8; ++k) {
      const std::size_t j = first_j + k;
      if (j >= n || j == first_i + row || space.r2[row][k] <= 0) continue;
      const real4 other = bodies[j];
      const float root = rsqrtf(space.r2[row][k]), pull = other.w * root * root * root;
      sum.x += pull * (other.x - own.x);
      sum.y += pull * (other.y - own.y);
      sum.z += pull * (other.z - own.z);
    }
    __syncwarp();
  }
  sum.x += __shfl_xor_sync(0xffffffff, sum.x, 16);
  sum.y += __shfl_xor_sync(0xffffffff, sum.y, 16);
  sum.z += __shfl_xor_sync(0xffffffff, sum.z, 16);
  if (lane < 16 && first_i + lane < n) {
    result[first_i + lane] = {G * sum.x, G * sum.y, G * sum.z, 0};
  }
#endif
}

// Exhibit: matrix units used as in the textbook.
// Problem: the matrix units are idle.
// Idea: they take floats, too, as TF32. Squared distances are a matrix product (matrix does this
// with care).
// Changed: the kernel. TF32 keeps 11 bits of each number, and |a|^2 + |b|^2 - 2 a.b cancels: of two
// neighbours nothing is left.
// Predicted: wrong, and not faster: the rest of an interaction stays where it was.
// Measured: wrong, and 0.29 x tiles: the distances go through shared memory.
class Tf32Distances : public Tiles {
 public:
  using Tiles::Tiles;

  void compute_accelerations() override {
    timed("accelerations", [&] {
      accelerations_by_tf32<<<blocks_for(n, rows_of_block), 32 * warps_of_block>>>(
          bodies.data(), n, G, softening, acceleration.data());
    });
  }
};

}  // namespace nbody
