#pragma once

#include <string>

#include "check/row.hpp"

namespace nbody::check {

// The largest error / limit of all rows; infinity for NaN or no answer.
double worst_share(const Rows& rows);
// The same in words: "0.44", "> 10^6", "not finite", "no answer"; empty without rows.
std::string share_text(const Rows& rows);

// A line per group of cases, then what failed: forces by N and scene, or a few of each other group.
// With `all_rows` every kind and every case.
std::string rows_text(const Rows& rows, bool all_rows);

}  // namespace nbody::check
