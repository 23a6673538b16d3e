#pragma once

#include <string>

#include "bench/result.hpp"

namespace nbody {

bool as_expected(const BenchResult& result);

// One setup: everything about it. Several: speeds by setup, as multiples of the first row, and from
// where on somebody is ahead.
std::string bench_text(const BenchResult& result);

}  // namespace nbody
