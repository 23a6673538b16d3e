#pragma once

#include "../09_third_law.cuh"

// In double.
namespace nbody {

using ForManyBodies = ThirdLaw;
constexpr std::size_t many_bodies = 16384;

}  // namespace nbody
