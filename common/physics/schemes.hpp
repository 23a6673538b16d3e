#pragma once

#include "physics/scheme.hpp"

namespace nbody {

// One file each in physics/schemes/.
extern const Scheme eq45, euler, semi_implicit, kdk, kdk_symmetric, dkd, yoshida4, rk4, hermite4;

}  // namespace nbody
