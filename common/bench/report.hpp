#pragma once

#include <string>

#include "bench/result.hpp"

namespace nbody::bench {

bool as_expected(const BenchResult& result);

// One setup: everything about it. Several: speeds by setup, as multiples of the first row, and
// where one overtakes another.
std::string bench_text(const BenchResult& result);

}  // namespace nbody::bench
