#pragma once

#include "blocked.hpp"

namespace nbody {

// Exhibit. Eight rows at once instead of four: each load serves twice as many, and the registers
// run out.
template <typename T>
using Blocked8 = Blocked<T, 8>;

}  // namespace nbody
