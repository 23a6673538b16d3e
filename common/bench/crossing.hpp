#pragma once

#include <string>

#include "bench/result.hpp"

namespace nbody::bench {

// With several numbers of bodies: from which an implementation beats the first one. With several
// numbers of threads: from how many bodies T threads beat one. "Beats" means faster by more than
// the spread, at that size and all larger ones. Empty if nothing was swept.
std::string crossings_text(const BenchResult& result);

}  // namespace nbody::bench
