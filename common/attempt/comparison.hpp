#pragma once

#include <string>
#include <vector>

namespace nbody {

// How many times as fast one program is as another.
struct Gain {
  double ratio = 0;             // median
  double lower = 0, upper = 0;  // middle half
  bool real = false;            // more than the noise of the measurement
  bool estimated = false;       // not measured side by side
  bool noisy = false;           // the middle half is wider than 30 %: nothing is said
};

// Seconds of a step in each round, both programs timed in turn, so that a busy machine meets both:
// each round has its own ratio. A gain is real when so many rounds agree on its direction that a
// coin would do so in at most 5 % of all cases (8 of 9 rounds: 3.9 %; the sign test, which asks for
// no distribution), or when neither the middle half of the ratios holds 1 nor those of the two
// times overlap; and when it is at least 2 %: where a program happens to lie in memory can change
// its speed by that much. Throws InputError when too few rounds were measured to tell.
Gain gain_of(const std::vector<double>& seconds, const std::vector<double>& seconds_before);

// Where the program before is gone: from both rows' times naive. Real when the middle halves,
// `spread` wide as a part of the number, do not overlap.
Gain estimated_gain(double times_naive, double spread, double times_naive_before,
                    double spread_before);

inline constexpr double close_enough = 0.15;

// "as expected" within 15 % of it, "less than expected", "more than expected", "no difference
// beyond the spread", which somebody may have expected, or "too noisy to tell".
std::string verdict_word(double expected, const Gain& gain);

}  // namespace nbody
