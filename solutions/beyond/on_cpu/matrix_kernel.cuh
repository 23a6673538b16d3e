#pragma once

#include "../halves.cuh"

// Replaces ../matrix_kernel.cuh when kernels run on the CPU: the same products of the same halves,
// number by number.
namespace nbody {

class MatrixSums {
 public:
  // Not as many as on a GPU, or a check on the CPU would never meet products of halves.
  static constexpr std::size_t fewest_bodies = 2200;

  void clear() {
    for (auto& sum : of_i) {
      for (float& number : sum) number = 0;
    }
  }
  void multiply(float factor) {
    for (auto& sum : of_i) {
      for (float& number : sum) number *= factor;
    }
  }
  void store(int part, WarpSpace& space) const {
    for (int k = 0; k < pull_stride; ++k) space.sums[threadIdx.x % 32][k] = of_i[part][k];
    __syncwarp();
  }

  // A lane adds up for its bodies i, and for its body j.
  void meet(WarpSpace& space, float middle) {
    const unsigned lane = threadIdx.x % 32;
    float of_j[pull_stride] = {};
    for (unsigned i = 0; i < bodies_of_tile; ++i) {
      add(weight(space, i, lane, middle), space.pulls_of_i[i], of_j);
    }
    for (unsigned part = 0; part < 4; ++part) {
      for (unsigned j = 0; j < bodies_of_chunk; ++j) {
        add(weight(space, 32 * part + lane, j, middle), space.pulls_of_j[j], of_i[part]);
      }
    }
    __syncwarp();
    for (int k = 0; k < pull_stride; ++k) space.sums[lane][k] = of_j[k];
    __syncwarp();
  }

 private:
  float of_i[4][pull_stride];  // of bodies lane, lane + 32, ...

  static float weight(const WarpSpace& space, unsigned i, unsigned j, float middle) {
    const half* row = halves(space.rows + i);
    const half* column = halves(space.columns + j);
    float r2 = 0;
    for (int k = 0; k < row_stride - 8; ++k) r2 += __half2float(row[k]) * __half2float(column[k]);
    const float root = estimate_of_rsqrt(r2);
    return __half2float(__float2half_rn(root * root * root - middle));
  }
  static void add(float weight, const PullOfBody& pull, float (&sum)[pull_stride]) {
    for (int k = 0; k < pull_stride; ++k) sum[k] += weight * __half2float(halves(&pull)[k]);
  }
};

}  // namespace nbody
