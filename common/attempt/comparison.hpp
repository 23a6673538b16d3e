#pragma once

#include <optional>
#include <string>

#include "bench/statistics.hpp"

namespace nbody::attempt {

// The speed-up of one program over another.
struct Gain {
  double ratio = 0;             // median
  double lower = 0, upper = 0;  // middle half
  bool real = false;            // larger than the noise of the measurement
  bool estimated = false;       // not measured side by side
  bool noisy = false;           // the middle half is wider than 30 %: no verdict
};

// Seconds per step in each round; both programs are timed in turn, so a busy machine affects both,
// and each round has its own ratio. A gain is real if it is at least 2 % (the position of a program
// in memory can change its speed by that much) and either so many rounds agree on its direction
// that chance would do so in at most 5 % of all cases (8 of 9 rounds: 3.9 %; the sign test, which
// assumes no distribution), or the middle half of the ratios excludes 1 and the middle halves of
// the two times do not overlap. Nothing if too few rounds were measured to tell: of those in which
// the neighbours changed, none counts.
std::optional<Gain> gain_of(const bench::Rounds& mine, const bench::Rounds& before);

// If the previous program is gone: from both rows' speed-ups over naive. Real if the middle halves,
// with the relative width `spread`, do not overlap.
Gain estimated_gain(double times_naive, double spread, double times_naive_before,
                    double spread_before);

inline constexpr double close_enough = 0.15;

// "as expected" within 15 % of it, "less than expected", "more than expected", "no difference
// beyond the spread", or "too noisy to tell".
std::string verdict_word(double expected, const Gain& gain);

}  // namespace nbody::attempt
