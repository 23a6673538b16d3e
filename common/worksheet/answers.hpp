#pragma once

// The types of the answers in a worksheet.hpp; small, because it is compiled after every edit.
#include <cmath>  // for formulas in answers
#include <limits>
#include <string>

namespace nbody {

constexpr double unanswered = std::numeric_limits<double>::quiet_NaN();

constexpr char no_choice = ' ';

}  // namespace nbody
