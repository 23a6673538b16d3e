#pragma once

#include "simulator/plain.hpp"

namespace nbody {

using Triple = TripleOf<real>;
using Plain = PlainOf<real>;

}  // namespace nbody
