#pragma once

// The types of the answers in a worksheet.hpp; small, because it is compiled after every edit. In
// nbody, not in nbody::worksheet, because students use these names.
#include <cmath>  // for formulas in answers
#include <limits>
#include <string>

namespace nbody {

constexpr double unanswered = std::numeric_limits<double>::quiet_NaN();

constexpr char no_choice = ' ';

}  // namespace nbody
