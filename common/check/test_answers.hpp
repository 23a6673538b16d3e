#pragma once

#include "check/tolerance.hpp"

namespace nbody::check::test {

inline const Tolerance& standard() { return tolerances().front(); }

}  // namespace nbody::check::test
