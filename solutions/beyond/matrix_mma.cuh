// Problem: in matrix, weights go through shared memory, because wmma does not define which thread
// holds which element of a matrix.
// Idea: the instructions below wmma define it (PTX ISA, "Matrix instructions"). The squared
// distances come out exactly where the next product wants the weights as its left operand; for the
// other product, each block of 8 x 8 is transposed in the registers.
// Predicted: 1.15 x, because a fifth of the instructions disappear.
// Measured: 1.08 x.
// Why: with 16 warps a multiprocessor hides most of the way through shared memory. 32 pairs
// take 6.4 issue slots, but their roots 8.1 cycles: the roots are the limit now.
#pragma once

#include "matrix.cuh"

namespace nbody {

// Lane 4 g + t holds rows g and g + 8: of 16 x 16 half-precision numbers the columns 2 t, 2 t + 1,
// 2 t + 8, 2 t + 9, as four pairs; of 16 x 8 sums the columns 2 t, 2 t + 1.
struct Left {
  unsigned pairs[4];
};
struct Right {
  unsigned pairs[2];
};
struct Result {
  float x[4];
};

__device__ inline void add_product(Result& c, const Left& a, const Right& b) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c.x[0]), "+f"(c.x[1]), "+f"(c.x[2]), "+f"(c.x[3])
      : "r"(a.pairs[0]), "r"(a.pairs[1]), "r"(a.pairs[2]), "r"(a.pairs[3]), "r"(b.pairs[0]),
        "r"(b.pairs[1]));
#else  // older GPUs take 8 columns at a time
  for (int k = 0; k < 2; ++k) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%0, %1, %2, %3};"
        : "+f"(c.x[0]), "+f"(c.x[1]), "+f"(c.x[2]), "+f"(c.x[3])
        : "r"(a.pairs[2 * k]), "r"(a.pairs[2 * k + 1]), "r"(b.pairs[k]));
  }
#endif
}

// Lane l gives the address of a row of 8 numbers; four matrices of 8 x 8 are loaded.
__device__ inline Left load_four(const half* row) {
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  Left m;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m.pairs[0]), "=r"(m.pairs[1]), "=r"(m.pairs[2]), "=r"(m.pairs[3])
               : "r"(at)
               : "memory");
  return m;
}
// The same, each transposed.
__device__ inline Left load_four_transposed(const half* row) {
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  Left m;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m.pairs[0]), "=r"(m.pairs[1]), "=r"(m.pairs[2]), "=r"(m.pairs[3])
               : "r"(at)
               : "memory");
  return m;
}
// Transposes one that the warp holds.
__device__ inline unsigned transposed(unsigned pair) {
  unsigned result;
  asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(pair));
  return result;
}

// w - common of two squared distances.
__device__ inline unsigned weights_of(float r2_a, float r2_b, float common) {
  const float a = estimate_of_rsqrt(r2_a), b = estimate_of_rsqrt(r2_b);
  const half2 pair = __floats2half2_rn(a * a * a - common, b * b * b - common);
  return *reinterpret_cast<const unsigned*>(&pair);
}

// Like TensorProducts.
class MmaProducts {
 public:
  __device__ void clear() {
    for (Result& sums : of_i) sums = {};
  }
  __device__ void multiply(float factor) {
    for (Result& sums : of_i) {
      for (float& x : sums.x) x *= factor;
    }
  }
  __device__ void store(int part, WarpSpace& space) const {
    put(of_i[2 * part], of_i[2 * part + 1], space);
  }

  __device__ void add_chunk(WarpSpace& space, float common) {
    const int lane = threadIdx.x % 32;
    // Left: rows 0 to 15 of the left 8 columns, then of the right ones. Right: of eight columns the
    // upper 8 rows and the lower ones, then of eight more, so that the two parts of an operand lie
    // in neighbouring registers, as the instruction wants them.
    const int row = lane % 16, half_of_row = 8 * (lane / 16);
    const int column = lane % 8 + 8 * (lane / 16), half_of_column = 8 * (lane / 8 % 2);
    Right columns[4], moments_of_j[2];
    for (int k = 0; k < 2; ++k) {
      const Left four = load_four(space.columns[16 * k + column].x + half_of_column);
      columns[2 * k] = {four.pairs[0], four.pairs[1]};
      columns[2 * k + 1] = {four.pairs[2], four.pairs[3]};
    }
    const Left moments = load_four_transposed(space.of_j[lane].x);
    moments_of_j[0] = {moments.pairs[0], moments.pairs[1]};
    moments_of_j[1] = {moments.pairs[2], moments.pairs[3]};

    Result of_j[2]{};
    Left moments_of_i;
#pragma unroll
    for (int part = 0; part < 8; ++part) {
      const Left rows = load_four(space.rows[16 * part + row].x + half_of_row);
      if (part % 2 == 0) moments_of_i = load_four_transposed(space.of_i[16 * part + lane].x);
      const Right moments_of_part{moments_of_i.pairs[2 * (part % 2)],
                                  moments_of_i.pairs[2 * (part % 2) + 1]};
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        Left weights, turned;
#pragma unroll
        for (int k = 0; k < 2; ++k) {
          Result r2{};
          add_product(r2, rows, columns[2 * h + k]);
          weights.pairs[2 * k] = weights_of(r2.x[0], r2.x[1], common);
          weights.pairs[2 * k + 1] = weights_of(r2.x[2], r2.x[3], common);
          turned.pairs[k] = transposed(weights.pairs[2 * k]);
          turned.pairs[k + 2] = transposed(weights.pairs[2 * k + 1]);
        }
        add_product(of_i[part], weights, moments_of_j[h]);
        add_product(of_j[h], turned, moments_of_part);
      }
    }
    put(of_j[0], of_j[1], space);
  }

 private:
  Result of_i[8];  // 16 bodies each

  __device__ static void put(const Result& upper, const Result& lower, WarpSpace& space) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const auto at = [&](int row) { return reinterpret_cast<float2*>(&space.sums[row][2 * t]); };
    *at(g) = {upper.x[0], upper.x[1]};
    *at(g + 8) = {upper.x[2], upper.x[3]};
    *at(g + 16) = {lower.x[0], lower.x[1]};
    *at(g + 24) = {lower.x[2], lower.x[3]};
    __syncwarp();
  }
};

using MatrixMma = MatrixVersion<MmaProducts>;

}  // namespace nbody
