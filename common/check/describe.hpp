#pragma once

#include <string>

#include "check/error_measure.hpp"

namespace nbody::check {

// "(1.2e-03, 4.5e-05, -1.0e-02)"
std::string describe(const Vector& v);
// Worst body, expected, got, median: one line.
std::string describe_force_error(const ForceError& error);

}  // namespace nbody::check
