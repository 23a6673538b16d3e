#pragma once

// The number type of this program, set by the build: float, double, or in a count program the
// counting number, whose header comes first. Each program has only one: a class compiled with two
// number types would be two classes of one name, which the linker would merge.
#ifndef LAB_REAL
#define LAB_REAL float
#endif

#include <type_traits>

namespace nbody {

using real = LAB_REAL;

// For code that differs between float and double: `if constexpr (in_double) ... else ...`. False in
// a count program: it counts the work of float.
constexpr bool in_double = std::is_same_v<real, double>;

}  // namespace nbody
