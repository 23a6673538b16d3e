#pragma once

#include "simulator/test_program/plain.hpp"

namespace nbody {

using Triple = TripleOf<real>;
using Plain = PlainOf<real>;

}  // namespace nbody
