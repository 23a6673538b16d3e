#pragma once

#include "matrix_mma_kernel.cuh"
#include "matrix_rung.cuh"

namespace nbody {

// Problem: in matrix, weights go through shared memory, because wmma does not define which thread
// holds which element of a matrix.
// Idea: the instructions below wmma define it. The squared distances come out exactly where the
// weights are needed as the left operand of the next product; for the other product, each 8 x 8
// block is transposed in the registers.
// Changed: matrix_mma_kernel.cuh instead of matrix_kernel.cuh.
// Predicted: 1.15 x matrix, because a fifth of its instructions disappear.
// Measured: 1.06 x with 131072 bodies; it was 1.13 x when fewer warps hid less of matrix's way
// through shared memory (log.md).
class MatrixMma : public MatrixRung<MmaSums> {
 public:
  using MatrixRung::MatrixRung;
};

}  // namespace nbody
