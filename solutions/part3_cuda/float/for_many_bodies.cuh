#pragma once

#include "../matrix_mma.cuh"

// In float. Half precision is not enough for double, so there is another file for it.
namespace nbody {

using ForManyBodies = MatrixMma;
constexpr std::size_t many_bodies = 16384;

}  // namespace nbody
