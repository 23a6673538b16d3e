#pragma once

#include <mma.h>

#include "halves.cuh"

namespace nbody {

namespace wmma = nvcuda::wmma;

// d = 1/r^3 - middle for 32 bodies i and 32 bodies j, as halves, into weights[i][j].
__device__ inline void find_weights(
    const PaddedRow* rows_of_i,
    const wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> (&columns)[2],
    float middle, half* weights) {
  for (int i = 0; i < 2; ++i) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows;
    wmma::load_matrix_sync(rows, halves(rows_of_i + 16 * i), row_stride);
    for (int j = 0; j < 2; ++j) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> r2;
      wmma::fragment<wmma::accumulator, 16, 16, 16, half> weight;
      wmma::fill_fragment(r2, 0);
      wmma::mma_sync(r2, rows, columns[j], r2);
      for (int k = 0; k < r2.num_elements; ++k) {
        const float root = estimate_of_rsqrt(r2.x[k]);
        weight.x[k] = __float2half_rn(root * root * root - middle);
      }
      wmma::store_matrix_sync(weights + 16 * i * weight_stride + 16 * j, weight, weight_stride,
                              wmma::mem_row_major);
    }
  }
}

// The sums of a tile's 128 bodies i over all far bodies j, sum_j d [m_j, m_j y_j].
class MatrixSums {
 public:
  static constexpr std::size_t fewest_bodies = 32768;

  __device__ void clear() {
    for (Sum& sum : of_i) wmma::fill_fragment(sum, 0);
  }
  __device__ void multiply(float factor) {
    for (Sum& sum : of_i) {
      for (int k = 0; k < sum.num_elements; ++k) sum.x[k] *= factor;
    }
  }
  // The sums of bodies 32 part, ... go to space.sums.
  __device__ void store(int part, WarpSpace& space) const {
    wmma::store_matrix_sync(space.sums[0], of_i[part], pull_stride, wmma::mem_row_major);
    __syncwarp();
  }

  // Adds a chunk of 32 bodies j, whose columns and pulls are ready. Their own sums over the bodies
  // i, sum_i d [m_i, m_i u_i], go to space.sums.
  __device__ void meet(WarpSpace& space, float middle) {
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> columns[2];
    wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::row_major> pulls_of_j[2];
    for (int h = 0; h < 2; ++h) {
      wmma::load_matrix_sync(columns[h], halves(space.columns + 16 * h), row_stride);
      wmma::load_matrix_sync(pulls_of_j[h], halves(space.pulls_of_j + 16 * h), pull_stride);
    }
    Sum of_j;
    wmma::fill_fragment(of_j, 0);
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      find_weights(space.rows + 32 * part, columns, middle, space.weights);
      __syncwarp();
      for (int h = 0; h < 2; ++h) {
        wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::row_major> d;
        wmma::load_matrix_sync(d, space.weights + 16 * h, weight_stride);
        wmma::mma_sync(of_i[part], d, pulls_of_j[h], of_i[part]);

        wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::col_major> transposed;
        wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::row_major> pulls_of_i;
        wmma::load_matrix_sync(transposed, space.weights + 16 * h * weight_stride, weight_stride);
        wmma::load_matrix_sync(pulls_of_i, halves(space.pulls_of_i + 32 * part + 16 * h),
                               pull_stride);
        wmma::mma_sync(of_j, transposed, pulls_of_i, of_j);
      }
      __syncwarp();
    }
    wmma::store_matrix_sync(space.sums[0], of_j, pull_stride, wmma::mem_row_major);
    __syncwarp();
  }

 private:
  using Sum = wmma::fragment<wmma::accumulator, 32, 8, 16, float>;
  Sum of_i[4];
};

}  // namespace nbody
