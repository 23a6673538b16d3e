#pragma once

#include <string>

#include "bench/plan.hpp"
#include "bench/result.hpp"

namespace nbody::bench {

// What was measured, and what Google Benchmark wrote about it.
struct BenchRun {
  BenchResult result;
  std::string google_json;
};

// Throws InputError before anything is measured.
BenchRun measure(const BenchPlan& plan);

}  // namespace nbody::bench
