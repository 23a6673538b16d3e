#pragma once

#include <string>
#include <vector>

#include "bench/plan.hpp"
#include "bench/timing.hpp"
#include "check/manifest.hpp"

namespace nbody {

// All implementations at one number of bodies, in the order of the entries.
struct SizeResult {
  std::size_t n = 0;
  double limit = 0;  // of the error of what was timed
  std::vector<Timing> timings;
};

struct BenchResult {
  std::vector<ImplementationEntry> entries;
  std::vector<SizeResult> sizes;
};

// What was timed must be right; an exhibit that is there to be wrong says so.
std::string verdict_of(const Timing& timing, const ImplementationEntry& entry, double limit);
bool as_it_should(const BenchResult& result);

// One size: everything about it. Several: speeds by size, and as multiples of the first row.
std::string bench_text(const BenchPlan& plan, const BenchResult& result);
std::string bench_json(const BenchPlan& plan, const BenchResult& result);

}  // namespace nbody
