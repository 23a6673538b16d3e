#pragma once

// What a worksheet.hpp is filled in with; small, for it is compiled after every edit.
#include <cmath>
#include <limits>
#include <string>

namespace nbody {

constexpr double unanswered = std::numeric_limits<double>::quiet_NaN();
inline bool is_answered(double answer) { return !std::isnan(answer); }

constexpr char no_choice = ' ';

}  // namespace nbody
