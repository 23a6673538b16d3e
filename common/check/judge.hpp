#pragma once

#include <functional>

#include "check/case.hpp"
#include "check/tolerance.hpp"
#include "simulator/integration.hpp"

namespace nbody::check {

// In float the step is right to about 1e-6; no relevant mistake is smaller than 1e-4.
inline constexpr double adaptive_limit = 1e-4;
// A step of an integrator evaluates forces several times, some of them over more than a whole step.
inline constexpr double integrator_roundings = 5;

// Judges everything in an answer against the reference and fills the row with what is worst, beside
// its limit:
//   accelerations  |a - a_ref| / sum |a_ij|, where the bodies are in the end
//   jerk           the same with its own sum
//   single steps   each from the program's own state before it, by Eq. 4 and 5 or the integrator
//                  that was asked for, in units of state_error()'s bounds; adaptive ones must also
//                  be as long as Eq. 7 says
//   steps in one go  where they end, relative to each body's path, and at what time
//   no step        every bit as sent
void judge(const Case& test, const Answer& answer, const Tolerance& tolerance, Row& row);

// The reference's own run of the steps that are asked for. on_step is called after each step with
// the run so far.
Run reference_run(const Request& request, const std::function<void(const Run&)>& on_step = {});
// Only the bodies `rows` are pulled; the others fly on, which is enough in a short time.
Run reference_run(const Request& request, const std::vector<std::size_t>& rows,
                  const std::function<void(const Run&)>& on_step = {});

// The reference, moved by the integrator that is asked for. The integrators themselves are the
// host's, so a mistake of theirs would be in both answers; integration_test judges them by their
// order.
Integration<double> reference_integration(const Request& request);
// Only the bodies `rows` are pulled: enough for one step that begins with a drift.
Integration<double> reference_integration(const Request& request,
                                          const std::vector<std::size_t>& rows);

// Of a fixed step, or of all of them.
inline constexpr double time_limit = 1e-6;

// Of a path: a lost step of hundreds is larger, what rounding does to a short run is far smaller.
inline constexpr double path_limit = 1e-3;

// The distance between a body's two places relative to its path, or between its velocities relative
// to what pulled it, worst of all bodies; rounding is tolerated. Infinity for what is not finite.
double miss_of(const State& got, const Run& run, double digits);

}  // namespace nbody::check
