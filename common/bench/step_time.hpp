#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nbody::bench {

// Time of one request, from its first byte sent to the last byte of its answer.
struct TimedSteps {
  std::uint64_t steps = 0;
  double seconds = 0;
};

// Three requests of different lengths must lie on a line,
//   t(K) = start + seconds (K + 1),
// because after K steps the checked accelerations are computed once more. `start` is the fixed cost
// of a request: transferring bodies, allocating memory.
struct StepTime {
  double seconds = 0;  // of a step: the slope by least squares
  double start = 0;    // s
  double longest = 0;  // s, of the three
  double bend = 0;     // s, of the middle one above the line through the others
};

// In any order, of three different lengths.
StepTime step_time(std::array<TimedSteps, 3> requests);

// Relative to the longest request. Noise bends a line now and then; a program whose line bends the
// same way in three rounds of four spends its time on something other than steps, and its slope is
// not a speed. With fewer than seven lines, chance may bend three of four.
inline constexpr double most_start = 0.12, most_bend = 0.1;
inline constexpr std::size_t enough_lines = 7;
// Seconds per step: the slope, but at least the longest request with the largest allowed start:
// this limits what a program gains by sleeping in short requests.
double step_seconds(const StepTime& time, const TimedSteps& longest);
inline bool shorter(const TimedSteps& a, const TimedSteps& b) { return a.steps < b.steps; }

// A round that is off by more does not count: another program took the core.
inline constexpr double most_disturbed = 0.35;
bool disturbed(const StepTime& time);

}  // namespace nbody::bench
