#pragma once

#include <cmath>
#include <limits>

namespace nbody {

// What a worksheet.hpp is filled in with.
constexpr double unanswered = std::numeric_limits<double>::quiet_NaN();
inline bool is_answered(double answer) { return !std::isnan(answer); }

constexpr char no_choice = ' ';

// Flops by class; the rules are in docs/work_and_roofline.md.
struct FlopCounts {
  double add = unanswered;  // and subtract
  double mul = unanswered;
  double div = unanswered;
  double sqrt = unanswered;
  double pow = unanswered;
};

inline double flops(const FlopCounts& count) {
  return count.add + count.mul + count.div + count.sqrt + count.pow;
}

struct MemoryCounts {
  double loads = unanswered;
  double stores = unanswered;
};

inline double memops(const MemoryCounts& count) { return count.loads + count.stores; }

}  // namespace nbody
