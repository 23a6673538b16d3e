#pragma once

#include "../../beyond/matrix_mma.cuh"

// In float. For double half precision is not enough, so double has its own file.
namespace nbody {

using ForManyBodies = MatrixMma;
constexpr std::size_t many_bodies = MmaSums::fewest_bodies;

}  // namespace nbody
