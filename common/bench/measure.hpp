#pragma once

#include <functional>
#include <string>

#include "bench/plan.hpp"
#include "bench/result.hpp"

namespace nbody::bench {

// What was measured, and what Google Benchmark wrote about it.
struct BenchRun {
  BenchResult result;
  std::string google_json;
};

// Throws InputError before anything is measured. Says on standard error what it does, and what it
// knows; as soon as `stops` returns true it returns what is known until then.
BenchRun measure(const BenchPlan& plan, const std::function<bool()>& stops);

}  // namespace nbody::bench
