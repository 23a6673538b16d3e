#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nbody {

// What one request took, from its first byte sent to the last byte of its answer.
struct TimedSteps {
  std::uint64_t steps = 0;
  double seconds = 0;
};

// Three requests of different lengths must lie on a line,
//   t(K) = start + seconds (K + 1),
// for behind K steps the accelerations that are checked are computed once more. `start` is what a
// request costs however long it is: bodies come and go, memory is asked for.
struct StepTime {
  double seconds = 0;  // of a step: the slope by least squares
  double start = 0;    // s
  double longest = 0;  // s, of the three
  double bend = 0;     // s, of the middle one above the line through the others
};

// In any order, of three different lengths.
StepTime step_time(std::array<TimedSteps, 3> requests);

// As parts of the longest request. Noise bends a line now and then; whoever does it the same way in
// three rounds of four does something else with its time than steps: its slope is no speed. Of
// fewer than seven lines chance bends three of four now and then.
inline constexpr double most_start = 0.12, most_bend = 0.1;
inline constexpr std::size_t enough_lines = 7;
// Seconds of a step: the slope, but not less than the longest request says if its start is as long
// as can be: so whoever sleeps in short requests gains no more than that.
double step_seconds(const StepTime& time, const TimedSteps& longest);
inline bool shorter(const TimedSteps& a, const TimedSteps& b) { return a.steps < b.steps; }

// One round is not counted at all if it is off by more: a neighbour took the core.
inline constexpr double most_disturbed = 0.35;
bool disturbed(const StepTime& time);

}  // namespace nbody
