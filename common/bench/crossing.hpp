#pragma once

#include <string>

#include "bench/result.hpp"

namespace nbody {

// Where several numbers of bodies were measured: from which an implementation beats the first one.
// Where several numbers of threads were: from how many bodies T threads beat one. To beat is to be
// ahead by more than the spread, at that size and all larger ones. Empty if nothing was swept.
std::string crossings_text(const BenchResult& result);

}  // namespace nbody
