#pragma once

#include <string>

#include "bench/result.hpp"

namespace nbody::bench {

// Do two rates differ by more than repeats of one measurement do? unknown: a single round has no
// spread; too_noisy: no verdict for a spread above 30 %.
enum class Difference { none, faster, slower, unknown, too_noisy };
inline constexpr double widest_spread = 0.3;
struct RateRatio {
  double ratio = 0;
  double spread = 0;  // the wider of the two
  Difference difference = Difference::none;
};
RateRatio ratio_of(const BenchRow& after, const BenchRow& before);

// "0.944 is inside the spread of 22 %: no difference shown"
std::string verdict_of(const RateRatio& ratio);

// Two results, implementation by implementation.
std::string compare_text(const BenchResult& before, const BenchResult& after);

// With several numbers of bodies: from which an implementation beats the first one. With several
// numbers of threads: from how many bodies T threads beat one. "Beats" means faster by more than
// the spread, at that size and all larger ones. Empty if nothing was swept.
std::string crossings_text(const BenchResult& result);

}  // namespace nbody::bench
