#pragma once

#include "simulator/implementation.hpp"

namespace nbody {

// The small implementation of the tests, in either number type.
const Implementation& implementation_in(Precision precision);

}  // namespace nbody
