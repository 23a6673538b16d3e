#pragma once

#include "halves.cuh"

namespace nbody {

// The instructions below wmma (PTX ISA, "Matrix instructions"). Lane 4 g + t holds rows g and g +
// 8: columns 2 t, 2 t + 1, 2 t + 8, 2 t + 9 of a matrix of 16 x 16 halves, as four pairs; columns 2
// t, 2 t + 1 of a matrix of 16 x 8 sums.
struct MatrixA {
  unsigned pairs[4];
};
struct MatrixB {
  unsigned pairs[2];
};
struct MatrixC {
  float numbers[4];
};

__device__ inline void add_product(MatrixC& c, const MatrixA& a, const MatrixB& b) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c.numbers[0]), "+f"(c.numbers[1]), "+f"(c.numbers[2]), "+f"(c.numbers[3])
      : "r"(a.pairs[0]), "r"(a.pairs[1]), "r"(a.pairs[2]), "r"(a.pairs[3]), "r"(b.pairs[0]),
        "r"(b.pairs[1]));
#else  // older GPUs take 8 columns at a time
  for (int k = 0; k < 2; ++k) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%0, %1, %2, %3};"
        : "+f"(c.numbers[0]), "+f"(c.numbers[1]), "+f"(c.numbers[2]), "+f"(c.numbers[3])
        : "r"(a.pairs[2 * k]), "r"(a.pairs[2 * k + 1]), "r"(b.pairs[k]));
  }
#endif
}

// Lane l gives the address of a row of 8 halves; four matrices of 8 x 8 are loaded.
__device__ inline MatrixA load_four(const half* row) {
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  MatrixA m;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m.pairs[0]), "=r"(m.pairs[1]), "=r"(m.pairs[2]), "=r"(m.pairs[3])
               : "r"(at)
               : "memory");
  return m;
}
// The same, each transposed.
__device__ inline MatrixA load_four_transposed(const half* row) {
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  MatrixA m;
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

__device__ inline unsigned pair_of(float a, float b) {
  const half2 pair = __floats2half2_rn(a, b);
  return *reinterpret_cast<const unsigned*>(&pair);
}
// d = 1/r^3 - middle of two squared distances.
__device__ inline unsigned weights_of(float r2_a, float r2_b, float middle) {
  const float a = estimate_of_rsqrt(r2_a), b = estimate_of_rsqrt(r2_b);
  return pair_of(a * a * a - middle, b * b * b - middle);
}

// Like MatrixSums; the weights stay in registers.
class MmaSums {
 public:
  static constexpr std::size_t fewest_bodies = 32768;

  __device__ void clear() {
    for (MatrixC& sum : of_i) sum = {};
  }
  __device__ void multiply(float factor) {
    for (MatrixC& sum : of_i) {
      for (float& number : sum.numbers) number *= factor;
    }
  }
  __device__ void store(int part, WarpSpace& space) const {
    put(of_i[2 * part], space.sums);
    put(of_i[2 * part + 1], space.sums + 16);
    __syncwarp();
  }

  __device__ void meet(WarpSpace& space, float middle) {
    const int lane = threadIdx.x % 32;
    // A: rows 0 to 15 of the left half, then of the right half. B: of eight columns the left half
    // and the right half, then of eight more, so that the two parts of an operand lie in
    // neighbouring registers, as the instruction wants them.
    const int row = lane % 16, half_of_row = 8 * (lane / 16);
    const int column = lane % 8 + 8 * (lane / 16), half_of_column = 8 * (lane / 8 % 2);
    MatrixB columns[4], pulls_of_j[2];
    for (int k = 0; k < 2; ++k) {
      const MatrixA four = load_four(halves(space.columns + 16 * k + column) + half_of_column);
      columns[2 * k] = {four.pairs[0], four.pairs[1]};
      columns[2 * k + 1] = {four.pairs[2], four.pairs[3]};
    }
    const MatrixA pulls = load_four_transposed(halves(space.pulls_of_j + lane));
    pulls_of_j[0] = {pulls.pairs[0], pulls.pairs[1]};
    pulls_of_j[1] = {pulls.pairs[2], pulls.pairs[3]};

    MatrixC of_j[2]{};
    MatrixA pulls_of_i;
#pragma unroll
    for (int part = 0; part < 8; ++part) {
      const MatrixA rows = load_four(halves(space.rows + 16 * part + row) + half_of_row);
      if (part % 2 == 0) {
        pulls_of_i = load_four_transposed(halves(space.pulls_of_i + 16 * part + lane));
      }
      const MatrixB pulls_of_part{pulls_of_i.pairs[2 * (part % 2)],
                                  pulls_of_i.pairs[2 * (part % 2) + 1]};
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        MatrixA d, turned;
#pragma unroll
        for (int k = 0; k < 2; ++k) {
          MatrixC r2{};
          add_product(r2, rows, columns[2 * h + k]);
          d.pairs[2 * k] = weights_of(r2.numbers[0], r2.numbers[1], middle);
          d.pairs[2 * k + 1] = weights_of(r2.numbers[2], r2.numbers[3], middle);
          turned.pairs[k] = transposed(d.pairs[2 * k]);
          turned.pairs[k + 2] = transposed(d.pairs[2 * k + 1]);
        }
        add_product(of_i[part], d, pulls_of_j[h]);
        add_product(of_j[h], turned, pulls_of_part);
      }
    }
    put(of_j[0], space.sums);
    put(of_j[1], space.sums + 16);
    __syncwarp();
  }

 private:
  MatrixC of_i[8];  // 16 bodies each

  __device__ static void put(const MatrixC& from, float (*rows)[pull_stride]) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    *reinterpret_cast<float2*>(&rows[g][2 * t]) = {from.numbers[0], from.numbers[1]};
    *reinterpret_cast<float2*>(&rows[g + 8][2 * t]) = {from.numbers[2], from.numbers[3]};
  }
};

}  // namespace nbody
