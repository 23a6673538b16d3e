#pragma once

// The number type of this program. The build says which: float, double, or for a count program the
// number that counts, whose header comes first. One program has one: a class in two number types
// would be two classes of one name, which the linker takes for the same.
#ifndef LAB_REAL
#define LAB_REAL float
#endif

#include <type_traits>

namespace nbody {

using real = LAB_REAL;

// Where float and double want different code: `if constexpr (in_double) ... else ...`. False where
// work is counted: what is counted is what float does.
constexpr bool in_double = std::is_same_v<real, double>;

}  // namespace nbody
