#pragma once

// The types of the answers in a worksheet.hpp; small, because it is compiled after every edit. In
// nbody, not in nbody::worksheet, because students use these names.
#include <cmath>
#include <limits>
#include <string>

namespace nbody {

constexpr double unanswered = std::numeric_limits<double>::quiet_NaN();
inline bool is_answered(double answer) { return !std::isnan(answer); }

constexpr char no_choice = ' ';

}  // namespace nbody
